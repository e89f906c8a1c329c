/** @jsxImportSource react */
import { type Agent, type AgentState, textOf, type UserInput } from '@offthread/core'
import {
  type ComponentPropsWithoutRef,
  Fragment,
  forwardRef,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type RootProps as ComposerProps, Root as ComposerRoot } from './composer.tsx'
import { type MessagePart, partsOf } from './parts/answer-parts.ts'
import { CopyButton, type CopyTextProps } from './parts/copy-button.tsx'
import { useFocusAfter } from './parts/focus.ts'
import { isComposing } from './parts/is-composing.ts'
import { useJoinedRef } from './parts/joined-ref.ts'
import { BranchCount, BranchNext, BranchPicker, BranchPrevious } from './parts/message-branches.tsx'
import { canEditIn, messageRoot } from './parts/message-root.ts'
import {
  type AsChild,
  after,
  type BoxPart,
  type BoxProps,
  Button,
  type ButtonPart,
  type ButtonProps,
  type ElementPart,
} from './parts/part.tsx'
import { useRoot } from './parts/root-context.ts'
import { Slot } from './parts/slot.tsx'
import { useAgentSelector } from './use-agent-selector.ts'
import { type MessageView, useMessage } from './use-message.ts'

export type {
  AsChild,
  BoxPart,
  BoxProps,
  ButtonPart,
  ButtonProps,
  ComposerProps,
  CopyTextProps,
  ElementPart,
  MessagePart,
  MessageView,
}
export { BranchCount, BranchNext, BranchPicker, BranchPrevious, CopyButton as CopyText, partsOf }

/** The message of the `Root` around the component, and whether it is being edited. */
export function useMessagePart(): MessageView & { readonly isEditing: boolean } {
  const { message, isEditing } = useRoot(messageRoot)
  return { ...message, isEditing }
}

/** Which message is shown, in addition to the props of an `article`. */
export interface RootProps extends ComponentPropsWithoutRef<'article'>, AsChild {
  /** The agent whose message it is. */
  readonly agent: Agent
  /** The id of the message. Nothing is rendered for one that the conversation does not show. */
  readonly messageId: string
}

/**
 * One message. It has `data-role`, and `data-state`: `streaming`, `editing` or `idle`. Give it the key
 * `message.parentId ?? 'first'`: versions of a message then share an element, and keep the focus in the picker.
 *
 * @example
 * ```tsx
 * import * as Message from '@offthread/react/message'
 *
 * <Message.Root agent={agent} messageId={id}>
 *   <Message.Parts>{(part) => (part.kind === 'text' ? <p>{part.text}</p> : null)}</Message.Parts>
 *   <Message.Copy>Copy</Message.Copy>
 *   <Message.Regenerate>Again</Message.Regenerate>
 *   <Message.BranchPicker>
 *     <Message.BranchPrevious>Older</Message.BranchPrevious>
 *     <Message.BranchCount />
 *     <Message.BranchNext>Newer</Message.BranchNext>
 *   </Message.BranchPicker>
 * </Message.Root>
 * ```
 */
export const Root: ElementPart<RootProps, HTMLElement> = forwardRef(function Root(
  { agent, messageId, asChild, ...props },
  ref,
) {
  const message = useMessage(agent, messageId)
  const [isEditing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  if (!message) return null
  const isStreaming = message.role === 'assistant' && message.stopReason === undefined
  const article = {
    'data-role': message.role,
    'data-state': isStreaming ? 'streaming' : isEditing ? 'editing' : 'idle',
    ...props,
  }
  return (
    <messageRoot.context.Provider value={{ agent, message, isEditing, setEditing, editButton }}>
      {asChild ? <Slot {...article} ref={ref} /> : <article {...article} ref={ref} />}
    </messageRoot.context.Provider>
  )
})

/** How the parts of a message are shown. */
export interface PartsProps {
  /** Shows one part. */
  readonly children: (part: MessagePart) => ReactNode
}

/** What the message consists of: texts, thinking, files and calls. Nothing while it is being edited. */
export function Parts({ children }: PartsProps): ReactNode {
  const { message, isEditing } = useRoot(messageRoot)
  if (isEditing) return null
  return partsOf(message).map((part) => <Fragment key={part.at}>{children(part)}</Fragment>)
}

/** The props of the button that copies. */
export interface CopyProps extends ButtonProps {
  /** What is copied. Default: the text of the message. */
  readonly text?: () => string
}

/** Copies the text of the message. For two seconds `data-state` is `copied`, or `failed` where the browser refuses. */
export const Copy: ButtonPart<CopyProps> = forwardRef<HTMLButtonElement, CopyProps>(function Copy(
  { text, ...props },
  ref,
) {
  const { message } = useRoot(messageRoot)
  return <CopyButton {...props} ref={ref} text={text ?? (() => textOf(message.content))} />
})

/**
 * Opens and closes the editor of one of the user's messages, unless a run is active. Leave it there while the message is
 * edited: the focus goes back to it when the editor closes, or to where it was when a key opened the editor.
 */
export const Edit: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(function Edit(
  { onClick, ...props },
  ref,
) {
  const { agent, message, isEditing, setEditing, editButton } = useRoot(messageRoot)
  const canEdit = useAgentSelector(agent, canEditIn)
  const joined = useJoinedRef(ref, editButton)
  // People cannot edit a repair, which the agent wrote.
  if (message.role !== 'user' || message.source === 'repair') return null
  const toggle = (): void => setEditing(canEdit && !isEditing)
  const state = { 'aria-disabled': !canEdit, 'aria-expanded': isEditing }
  return <Button {...state} {...props} ref={joined} onClick={after(onClick, toggle)} />
})

/** The props of the editor of a message: those of a composer, and how it makes an input from the text. */
export interface EditorProps extends Omit<ComposerProps, 'agent' | 'onSend'> {
  /** Makes the new input from the typed text, for instance with the attached files. Default: the text. */
  readonly toInput?: (text: string) => UserInput
}

/**
 * A composer for saying something else in place of the message. It is there while the message is edited: put
 * `Composer.Input` and `Composer.Send` into it. Escape closes it.
 */
export const Editor: ElementPart<EditorProps, HTMLFormElement> = forwardRef<
  HTMLFormElement,
  EditorProps
>(function Editor(props, ref) {
  return useRoot(messageRoot).isEditing ? <OpenEditor {...props} ref={ref} /> : null
})

const OpenEditor: ElementPart<EditorProps, HTMLFormElement> = forwardRef<
  HTMLFormElement,
  EditorProps
>(function OpenEditor({ toInput = asTyped, onKeyDownCapture, ...props }, ref) {
  const { agent, message, setEditing, editButton } = useRoot(messageRoot)
  const before = useRef<HTMLElement>(null)
  const own = useFocusAfter<HTMLFormElement>(() => {
    const { current } = before
    if (current?.isConnected) current.focus()
    else editButton.current?.focus()
  })
  const joined = useJoinedRef(ref, own)
  useEffect(() => {
    const root = own.current?.getRootNode()
    const { activeElement: active } = root instanceof ShadowRoot ? root : document
    const isPlace = active instanceof HTMLElement && active !== document.body
    if (isPlace && !own.current?.contains(active)) before.current = active
    const field = own.current?.querySelector('textarea')
    field?.focus()
    // Puts the cursor at the end of the text.
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [own])
  const send = (text: string): boolean => {
    if (!agent.getState().can.edit) return false
    setEditing(false)
    // The state shows how the run ended.
    void message.edit(toInput(text))
    return true
  }
  const leave = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    setEditing(false)
  }
  return (
    <ComposerRoot
      defaultText={textOf(message.content)}
      {...props}
      ref={joined}
      agent={agent}
      onSend={send}
      // Handled in the capture phase, because the field would stop a run with the same key.
      onKeyDownCapture={after(onKeyDownCapture, leave)}
    />
  )
})

function asTyped(text: string): string {
  return text
}

/** Closes the editor, and changes nothing. */
export const EditCancel: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function EditCancel({ onClick, ...props }, ref) {
    const { setEditing } = useRoot(messageRoot)
    return <Button {...props} ref={ref} onClick={after(onClick, () => setEditing(false))} />
  },
)

/** Has the last question of the conversation answered again. The old answer stays on a branch of its own. */
export const Regenerate: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function Regenerate({ onClick, ...props }, ref) {
    const { agent } = useRoot(messageRoot)
    const canRegenerate = useAgentSelector(agent, canRegenerateIn)
    const regenerate = (): void => {
      // The state shows how the run ended.
      if (canRegenerate) void agent.regenerate()
    }
    return (
      <Button
        aria-disabled={!canRegenerate}
        {...props}
        ref={ref}
        onClick={after(onClick, regenerate)}
      />
    )
  },
)

function canRegenerateIn({ can }: AgentState): boolean {
  return can.regenerate
}

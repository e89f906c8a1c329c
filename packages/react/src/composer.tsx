/** @jsxImportSource react */
import type { Agent, AgentState } from '@offthread/core'
import {
  type ChangeEvent,
  type ComponentPropsWithoutRef,
  type FormEvent,
  Fragment,
  forwardRef,
  type KeyboardEvent,
  type ReactNode,
  useRef,
} from 'react'
import {
  type ComposerContext,
  type ComposerState,
  type Delivery,
  type SendResult,
  useDraft,
} from './parts/draft.ts'
import { hasTouchKeyboard, useFocusAfter } from './parts/focus.ts'
import { isComposing } from './parts/is-composing.ts'
import { useJoinedRef } from './parts/joined-ref.ts'
import {
  type AsChild,
  after,
  Button,
  type ButtonPart,
  type ButtonProps,
  type ElementPart,
} from './parts/part.tsx'
import { createRootContext, useRoot } from './parts/root-context.ts'
import { Slot } from './parts/slot.tsx'
import { type QueuedMessage, queuedMessages } from './queued-messages.ts'
import { useAgentSelector } from './use-agent-selector.ts'

export type {
  AsChild,
  ButtonPart,
  ButtonProps,
  ComposerState,
  Delivery,
  ElementPart,
  QueuedMessage,
}

const root = createRootContext<ComposerContext>('Composer.Root')

/** The message that is being written in the `Root` around the component. */
export function useComposer(): ComposerState {
  return useRoot(root)
}

/** The props of a composer, in addition to those of a form. */
export interface RootProps extends Omit<ComponentPropsWithoutRef<'form'>, 'onSubmit'>, AsChild {
  /** The agent that the message is for. */
  readonly agent: Agent
  /** What stands in the field at first. */
  readonly defaultText?: string
  /** Whether there is something else to send, such as a file, so that an empty text may be sent. */
  readonly hasMore?: boolean
  /**
   * Sends the message in place of the composer. The text stays in the field if it returns or resolves to `false`.
   * Default: `prompt`, `followUp` or `steer` of the agent.
   */
  readonly onSend?: (text: string, delivery: Delivery) => SendResult | Promise<SendResult>
}

/**
 * A message that is being written. It has `data-state`: `idle` or `running`.
 *
 * @example
 * ```tsx
 * import * as Composer from '@offthread/react/composer'
 *
 * <Composer.Root agent={agent}>
 *   <Composer.Queue>{({ text, remove }) => <li>{text} <button onClick={remove}>Remove</button></li>}</Composer.Queue>
 *   <Composer.Input aria-label="Message" />
 *   <Composer.Stop>Stop</Composer.Stop>
 *   <Composer.Send>Send</Composer.Send>
 * </Composer.Root>
 * ```
 */
export const Root: ElementPart<RootProps, HTMLFormElement> = forwardRef(function Root(
  { agent, defaultText = '', hasMore = false, onSend, asChild, ...props },
  ref,
) {
  const context = useDraft({ agent, defaultText, hasMore, onSend })
  const form = {
    ...props,
    'data-state': context.isActive ? 'running' : 'idle',
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      context.submit()
    },
  }
  return (
    <root.context.Provider value={context}>
      {asChild ? <Slot {...form} ref={ref} /> : <form {...form} ref={ref} />}
    </root.context.Provider>
  )
})

/** The props of the field, in addition to those of a text area. */
export interface InputProps
  extends Omit<ComponentPropsWithoutRef<'textarea'>, 'value' | 'defaultValue'>,
    AsChild {}

/**
 * The field. Enter sends, or queues while a run is active, and with Ctrl or Cmd says it into the run; Shift + Enter starts
 * a line. Escape stops the run. A touch keyboard has no Shift + Enter: there, Enter starts a line.
 */
export const Input: ElementPart<InputProps, HTMLTextAreaElement> = forwardRef(function Input(
  { asChild, onChange, onKeyDown, ...props },
  ref,
) {
  const { agent, field, text, setText, submit, isActive } = useRoot(root)
  const joined = useJoinedRef(ref, field)
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Escape' && isActive) {
      event.preventDefault()
      agent.abort()
    }
    if (event.key !== 'Enter' || event.shiftKey || hasTouchKeyboard()) return
    event.preventDefault()
    const isSteering = isActive && (event.ctrlKey || event.metaKey)
    submit(isSteering ? 'steer' : undefined)
  }
  const area = {
    rows: 1,
    ...props,
    value: text,
    onChange: after(onChange, ({ target }: ChangeEvent<HTMLTextAreaElement>) =>
      setText(target.value),
    ),
    onKeyDown: after(onKeyDown, press),
  }
  return asChild ? <Slot {...area} ref={joined} /> : <textarea {...area} ref={joined} />
})

/**
 * Sends. `data-state` is `send`, or `queue` while a run is active, when the button needs another word. It never becomes
 * Stop, so a second click on Stop cannot send.
 */
export const Send: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function Send(props, ref) {
    const { isActive, isIdle } = useRoot(root)
    return (
      <Button
        type="submit"
        aria-disabled={isIdle}
        data-state={isActive ? 'queue' : 'send'}
        {...props}
        ref={ref}
      />
    )
  },
)

/** Stops the run. It is there only while one is active; the focus goes to the field when it disappears. */
export const Stop: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function Stop(props, ref) {
    return useRoot(root).isActive ? <StopButton {...props} ref={ref} /> : null
  },
)

const StopButton: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(function StopButton(
  { onClick, ...props },
  ref,
) {
  const { agent, focus } = useRoot(root)
  const isStopping = useAgentSelector(agent, stoppingIn)
  const own = useFocusAfter<HTMLButtonElement>(focus)
  const joined = useJoinedRef(ref, own)
  return (
    <Button
      // `disabled` would take the focus away from the button.
      aria-disabled={isStopping}
      data-state={isStopping ? 'stopping' : 'running'}
      {...props}
      ref={joined}
      onClick={after(onClick, () => agent.abort())}
    />
  )
})

function stoppingIn({ status }: AgentState): boolean {
  return status === 'stopping'
}

/** The props of the list of queued messages, in addition to those of a list. */
export interface QueueProps extends Omit<ComponentPropsWithoutRef<'ul'>, 'children'> {
  /** Shows one message, as a list item. */
  readonly children: (message: QueuedMessage) => ReactNode
}

/** The queued messages, in the order in which they will be delivered. Nothing is rendered when there are none. */
export const Queue: ElementPart<QueueProps, HTMLUListElement> = forwardRef(function Queue(
  { children, ...props },
  ref,
) {
  const { agent, focus } = useRoot(root)
  const queues = useAgentSelector(agent, queuesIn)
  const messages = queuedMessages(agent, queues)
  if (messages.length === 0) return null
  const inQueue = (queue: QueuedMessage['queue']) =>
    messages.filter((message) => message.queue === queue)
  // The pressed button disappears with its message, so the focus moves to the field.
  const withFocus = (act: () => void) => () => {
    act()
    focus()
  }
  return (
    <ul aria-label="Queued messages" {...props} ref={ref}>
      {[...inQueue('steering').entries(), ...inQueue('followUp').entries()].map(([at, message]) => (
        <Fragment key={`${message.queue} ${at}`}>
          {children({
            ...message,
            remove: withFocus(message.remove),
            steer: withFocus(message.steer),
          })}
        </Fragment>
      ))}
    </ul>
  )
})

function queuesIn({ queues }: AgentState): AgentState['queues'] {
  return queues
}

/** The props of a button that attaches files. */
export interface AttachProps extends ButtonProps {
  /** Gets the files that were chosen. */
  readonly onFiles: (files: readonly File[]) => void
  /** Which kinds of files are offered: `'.csv,.json'`. Default: all. */
  readonly accept?: string
  /** The name of the hidden field for assistive technology. Default `'Files to attach'`. */
  readonly inputLabel?: string
}

/** Lets the person choose files. They are the app's to keep until it sends them, in `onSend` of the root. */
export const Attach: ButtonPart<AttachProps> = forwardRef<HTMLButtonElement, AttachProps>(
  function Attach({ onFiles, accept, inputLabel = 'Files to attach', onClick, ...props }, ref) {
    const chooser = useRef<HTMLInputElement>(null)
    return (
      <>
        <Button
          {...props}
          ref={ref}
          // The handler is made in the event, because a ref must not be read while rendering.
          onClick={(event) => after(onClick, () => chooser.current?.click())(event)}
        />
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          accept={accept}
          aria-label={inputLabel}
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])])
            // Lets the person choose the same file again.
            target.value = ''
          }}
        />
      </>
    )
  },
)

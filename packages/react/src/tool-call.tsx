/** @jsxImportSource react */
import type { Agent, ToolProgress } from '@offthread/core'
import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { useFocusAfter } from './parts/focus.ts'
import { useJoinedRef } from './parts/joined-ref.ts'
import {
  type AsChild,
  after,
  Box,
  type BoxPart,
  type BoxProps,
  Button,
  type ButtonPart,
  type ButtonProps,
  type ElementPart,
} from './parts/part.tsx'
import { useRoot } from './parts/root-context.ts'
import { shownName } from './parts/shown-text.ts'
import { Approval, Approve, Deny, type DenyProps } from './parts/tool-call-approval.tsx'
import { type Disclosure, toolCallRoot, useCanAct } from './parts/tool-call-root.ts'
import {
  Args,
  CopyArgs,
  CopyResult,
  ErrorText,
  Logs,
  Result,
  type TextPart,
  type TextProps,
} from './parts/tool-call-texts.tsx'
import type { ToolCallCard } from './tool-call-card.ts'
import { useElapsed } from './use-elapsed.ts'
import { useToolCall } from './use-tool-call.ts'

export type {
  AsChild,
  BoxPart,
  BoxProps,
  ButtonPart,
  ButtonProps,
  DenyProps,
  Disclosure,
  ElementPart,
  TextPart,
  TextProps,
  ToolCallCard,
}
export { Approval, Approve, Args, CopyArgs, CopyResult, Deny, ErrorText as Error, Logs, Result }

/** The call of the `Root` around the component, and whether its card is open. */
export function useToolCallPart(): Disclosure & { readonly call: ToolCallCard } {
  const { call, isOpen, setOpen } = useRoot(toolCallRoot)
  return { call, isOpen, setOpen }
}

/** Which call is shown, in addition to the props of a box. */
export interface RootProps extends BoxProps {
  /** The agent whose call it is. */
  readonly agent: Agent
  /** The id of the call. Nothing is rendered for one that the conversation does not hold. */
  readonly toolCallId: string
  /**
   * Which cards are open before the person has opened or closed them. Default: those that failed or wait for approval.
   */
  readonly opensItself?: (call: ToolCallCard) => boolean
  /** The person opens or closes the card: called before it changes, so that a view can hold its place. */
  readonly onToggle?: () => void
}

/**
 * One call as a process: what it is, how far it is, how it ended. It has `data-status` (`running`, `failed`, …),
 * `data-state` (`open` or `closed`) and `data-tool`.
 *
 * @example
 * ```tsx
 * import * as ToolCall from '@offthread/react/tool-call'
 *
 * <ToolCall.Root agent={agent} toolCallId={id}>
 *   <ToolCall.Header><ToolCall.Status /> <ToolCall.Elapsed /></ToolCall.Header>
 *   <ToolCall.Cancel>Cancel</ToolCall.Cancel>
 *   <ToolCall.Progress />
 *   <ToolCall.Approval>
 *     <ToolCall.Args />
 *     <ToolCall.Approve>Allow</ToolCall.Approve>
 *     <ToolCall.Deny>Deny</ToolCall.Deny>
 *   </ToolCall.Approval>
 *   <ToolCall.Content><ToolCall.Logs /><ToolCall.Result /></ToolCall.Content>
 * </ToolCall.Root>
 * ```
 */
export const Root: BoxPart<RootProps> = forwardRef<HTMLDivElement, RootProps>(function Root(
  { agent, toolCallId, opensItself = needsEyes, onToggle, ...props },
  ref,
) {
  const call = useToolCall(agent, toolCallId)
  const [choice, setChoice] = useState<boolean | null>(null)
  const header = useRef<HTMLButtonElement>(null)
  const contentId = useId()
  if (!call) return null
  const isOpen = choice ?? opensItself(call)
  const setOpen = (next: boolean): void => {
    onToggle?.()
    setChoice(next)
  }
  const state = {
    'data-status': call.status,
    'data-state': isOpen ? 'open' : 'closed',
    'data-tool': call.toolName,
  }
  return (
    <toolCallRoot.context.Provider value={{ agent, call, isOpen, setOpen, contentId, header }}>
      <Box {...state} {...props} ref={ref} />
    </toolCallRoot.context.Provider>
  )
})

function needsEyes({ status }: ToolCallCard): boolean {
  return status === 'failed' || status === 'awaiting_approval'
}

/** The button that opens and closes the card. It gets the focus when another button of the card disappears. */
export const Header: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(function Header(
  { onClick, ...props },
  ref,
) {
  const { isOpen, setOpen, contentId, header } = useRoot(toolCallRoot)
  const joined = useJoinedRef(ref, header)
  return (
    <Button
      aria-expanded={isOpen}
      aria-controls={contentId}
      {...props}
      ref={joined}
      onClick={after(onClick, () => setOpen(!isOpen))}
    />
  )
})

/**
 * The part that the header opens. Its content is mounted only while it is open; with `asChild` the app has to do that,
 * with `isOpen` of `useToolCallPart`.
 */
export const Content: BoxPart = forwardRef<HTMLDivElement, BoxProps>(function Content(
  { children, ...props },
  ref,
) {
  const { isOpen, contentId } = useRoot(toolCallRoot)
  return (
    <Box {...props} ref={ref} id={contentId} hidden={!isOpen}>
      {(isOpen || props.asChild) && children}
    </Box>
  )
})

/** The label of the tool and what the call is doing: `Count primes: running`. Children take its place. */
export const Status: ElementPart<ComponentPropsWithoutRef<'span'>, HTMLSpanElement> = forwardRef(
  function Status({ children, ...props }, ref) {
    const { label, status } = useRoot(toolCallRoot).call
    return (
      <span {...props} ref={ref}>
        {children ?? `${shownName(label)}: ${status.replaceAll('_', ' ')}`}
      </span>
    )
  },
)

/**
 * How long the call runs, or ran. While it counts, it is hidden from assistive technology, which would read each tick.
 */
export function Elapsed(props: ComponentPropsWithoutRef<'span'>): ReactNode {
  const { times, hasEnded } = useRoot(toolCallRoot).call
  const clock = useElapsed(times.runningAt, times.endedAt)
  return <span {...props} ref={clock} aria-hidden={!hasEnded} />
}

/**
 * How far the call is, while it runs. It has `data-state`: `measured`, with `--progress` from 0 to 1 for its style, or
 * `unmeasured`.
 */
export const Progress: BoxPart = forwardRef<HTMLDivElement, BoxProps>(function Progress(
  { style, ...props },
  ref,
) {
  const { label, status, progress } = useRoot(toolCallRoot).call
  if (status !== 'starting' && status !== 'running' && status !== 'cancelling') return null
  const share = shareOf(progress)
  const bar = { role: 'progressbar', 'aria-label': `${shownName(label)}: progress` }
  if (share === undefined) {
    return <Box {...bar} data-state="unmeasured" style={style} {...props} ref={ref} />
  }
  const percent = Math.round(share * 100)
  const value = {
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': percent,
    'aria-valuetext': `${percent} percent`,
    style: { ...style, [shareProperty]: share },
  }
  return <Box {...bar} {...value} data-state="measured" {...props} ref={ref} />
})

const shareProperty: string = '--progress'

/** The share of a call that is done, from 0 to 1; `undefined` if the tool has not reported the total. */
export function shareOf(progress: ToolProgress | undefined): number | undefined {
  const { value, total } = progress ?? {}
  if (value === undefined || total === undefined || !(total > 0)) return undefined
  return Math.min(1, Math.max(0, value / total))
}

/** Cancels the call. It is there until the call has ended; the focus goes to the header when it disappears. */
export const Cancel: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function Cancel(props, ref) {
    return useRoot(toolCallRoot).call.hasEnded ? null : <OpenCancel {...props} ref={ref} />
  },
)

const OpenCancel: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(function OpenCancel(
  { onClick, ...props },
  ref,
) {
  const { call, header } = useRoot(toolCallRoot)
  const own = useFocusAfter<HTMLButtonElement>(() => header.current?.focus())
  const joined = useJoinedRef(ref, own)
  const canAct = useCanAct()
  const isIdle = !canAct || call.status === 'cancelling' || call.status === 'input_streaming'
  const cancel = (): void => {
    if (!isIdle) call.cancel()
  }
  return (
    <Button
      // `disabled` would take the focus away from the button.
      aria-disabled={isIdle}
      aria-label={`Cancel ${shownName(call.label)}`}
      {...props}
      ref={joined}
      onClick={after(onClick, cancel)}
    />
  )
})

/** @jsxImportSource react */
import type { Agent, AgentState } from '@offthread/core'
import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useFocusAfter } from './parts/focus.ts'
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
import { useAgentSelector } from './use-agent-selector.ts'
import { type StickToBottom, useStickToBottom } from './use-stick-to-bottom.ts'

export type { AsChild, ButtonPart, ButtonProps, ElementPart, StickToBottom }

interface ThreadContext extends StickToBottom<HTMLElement, HTMLDivElement> {
  readonly agent: Agent
}

const root = createRootContext<ThreadContext>('Thread.Root')

/** The scroll state of the `Root` around the component, and the functions that move it. */
export function useThread(): Pick<
  StickToBottom<HTMLElement, HTMLDivElement>,
  'isDetached' | 'toEnd' | 'hold' | 'scroller'
> {
  const { isDetached, toEnd, hold, scroller } = useRoot(root)
  return { isDetached, toEnd, hold, scroller }
}

/** Which conversation is shown. */
export interface RootProps {
  /** The agent. */
  readonly agent: Agent
  /** The `Viewport`, and `JumpToLatest` inside or outside of it. */
  readonly children: ReactNode
}

/**
 * A conversation whose end stays in view until its reader scrolls up, and again from the next message of the user on. It
 * draws nothing itself.
 *
 * @example
 * ```tsx
 * import * as Thread from '@offthread/react/thread'
 *
 * <Thread.Root agent={agent}>
 *   <Thread.Viewport style={{ overflow: 'auto', height: 400 }}>{messages}</Thread.Viewport>
 *   <Thread.JumpToLatest>Jump to latest</Thread.JumpToLatest>
 * </Thread.Root>
 * ```
 */
export function Root({ agent, children }: RootProps): ReactNode {
  const stick = useStickToBottom<HTMLElement, HTMLDivElement>()
  return <root.context.Provider value={{ ...stick, agent }}>{children}</root.context.Provider>
}

/** The props of the viewport, in addition to those of a section. */
export interface ViewportProps extends ComponentPropsWithoutRef<'section'> {
  /** The class of the element inside, which grows. */
  readonly contentClassName?: string
}

/**
 * What scrolls: a log for assistive technology, which does not read it while it grows. It can take the focus, so that the
 * keyboard can scroll it. It has `data-following`, and `data-state`: `idle` or `running`.
 */
export const Viewport: ElementPart<ViewportProps, HTMLElement> = forwardRef(function Viewport(
  { contentClassName, children, ...props },
  ref,
) {
  const { agent, scroller, content, toEnd } = useRoot(root)
  const isActive = useAgentSelector(agent, activeIn)
  const question = useAgentSelector(agent, lastQuestionIn)
  const reached = useRef<string>(undefined)
  const joined = useJoinedRef(ref, scroller)
  useEffect(() => {
    if (question === reached.current) return
    reached.current = question
    if (question !== undefined) toEnd()
  }, [question, toEnd])
  const log = {
    role: 'log',
    'aria-label': 'Conversation',
    'aria-busy': isActive,
    'data-state': isActive ? 'running' : 'idle',
    tabIndex: 0,
    ...props,
  }
  return (
    <section aria-live="off" {...log} ref={joined}>
      <div ref={content} className={contentClassName}>
        {children}
      </div>
    </section>
  )
})

/**
 * Scrolls to the end and follows it. It is there while the reader has scrolled away; then the focus goes to the
 * viewport.
 */
export const JumpToLatest: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function JumpToLatest(props, ref) {
    return useRoot(root).isDetached ? <Jump {...props} ref={ref} /> : null
  },
)

const Jump: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(function Jump(
  { onClick, ...props },
  ref,
) {
  const { toEnd, scroller } = useRoot(root)
  const own = useFocusAfter<HTMLButtonElement>(() => scroller.current?.focus())
  const joined = useJoinedRef(ref, own)
  return <Button {...props} ref={joined} onClick={after(onClick, toEnd)} />
})

/** What has come since a component was mounted. */
export interface Missed {
  /** How many messages and calls have come. */
  readonly added: number
  /** How many calls have failed. */
  readonly failed: number
}

/**
 * What has come in the conversation since the component was mounted. In a child of `JumpToLatest` that is what the reader
 * has not seen.
 *
 * @example
 * ```tsx
 * const Missed = () => {
 *   const { added, failed } = Thread.useMissed()
 *   return `${added} new${failed > 0 ? ` · ${failed} failed` : ''}`
 * }
 *
 * return <Thread.JumpToLatest><Missed /></Thread.JumpToLatest>
 * ```
 */
export function useMissed(): Missed {
  const { agent } = useRoot(root)
  const now = useAgentSelector(agent, countsIn, isSame)
  const [before] = useState(now)
  return {
    added: Math.max(0, now.added - before.added),
    failed: Math.max(0, now.failed - before.failed),
  }
}

function countsIn({ messages, toolCalls }: AgentState): Missed {
  const calls = messages.flatMap(({ content }) =>
    [...content].flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : [])),
  )
  return {
    added: messages.length + calls.length,
    failed: calls.filter((id) => failures.has(toolCalls.get(id)?.status ?? '')).length,
  }
}

const failures: ReadonlySet<string> = new Set(['failed', 'timed_out'])

function isSame(one: Missed, other: Missed): boolean {
  return one.added === other.added && one.failed === other.failed
}

function lastQuestionIn({ messages }: AgentState): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.id
}

function activeIn({ isActive }: AgentState): boolean {
  return isActive
}

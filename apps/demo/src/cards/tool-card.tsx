import type { Agent, AgentState } from '@offthread/core'
import { useAgentSelector } from '@offthread/react'
import * as Thread from '@offthread/react/thread'
import * as Parts from '@offthread/react/tool-call'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { mostOfLine } from '../text/fits-field.ts'
import { LongText } from '../text/long-text.tsx'
import { prettyJson } from '../text/pretty-json.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { attemptText, CallOutcome, CallRecord } from './call-details.tsx'
import { type CallSummary, labelOf, plainSummary } from './call-summary.ts'
import { CardMenu, CopyByKey } from './card-menu.tsx'
import { Elapsed } from './elapsed.tsx'
import { FailedAttempts } from './failed-attempts.tsx'
import { QuietNote } from './quiet-note.tsx'
import { shownStatus } from './shown-status.ts'
import { SlowNote } from './slow-note.tsx'
import { StatusMark } from './status-mark.tsx'
import { useSteadyClicks } from './use-steady-clicks.ts'

/** What a card shows. Parts that a tool has for its own calls take the place of those that fit any tool. */
export interface ToolCardProps {
  readonly agent: Agent
  readonly call: Parts.ToolCallCard
  /** The line of the card. */
  readonly summary?: CallSummary
  /** The result. */
  readonly result?: ReactNode
  /** The input, as text. */
  readonly input?: string | undefined
  /** What can be done about the outcome. */
  readonly help?: ReactNode
  /** Whether the card is open before it was opened or closed. Default: if the call failed. */
  readonly opensItself?: boolean
  /**
   * Called before this call is allowed, to allow the tool for the rest of the chat. Without it the card does not offer
   * that.
   */
  readonly onAlways?: () => void
  /** Whether it is shown in a replay: a log does not say when the code of a call started. */
  readonly isReplay?: boolean
  /** The card is scrolled into view, and marked. */
  readonly isChosen?: boolean
  /** Further buttons of its menu. */
  readonly menu?: ReactNode
}

/** One tool call as a process: what it is, how far it is, how it ended. It stands in a list. */
export function ToolCard(props: ToolCardProps): ReactNode {
  const { agent, call, isChosen = false } = props
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  useSteadyClicks()
  const { hold } = Thread.useThread()
  const toggle = useRef<HTMLButtonElement>(null)
  // A card that opened by itself shows its outcome only.
  const [isFull, setFull] = useState(false)
  const showAll = (): void => {
    hold()
    setFull(true)
  }
  // The button disappears.
  const showMore = (): void => {
    toggle.current?.focus({ preventScroll: true })
    showAll()
  }
  return (
    <Parts.Root
      agent={agent}
      toolCallId={call.toolCallId}
      opensItself={({ status }) => props.opensItself ?? status === 'failed'}
      onToggle={showAll}
      asChild
    >
      <li ref={card} className="card" aria-current={isChosen || undefined}>
        <div className="card-row">
          <CardSummary {...props} toggle={toggle} />
          {call.can.retry ? (
            <RetryButton call={call} next={toggle} />
          ) : (
            <Parts.Cancel className="small card-cancel" aria-keyshortcuts="c">
              <Icon name="cross" />
              <span>Cancel</span>
            </Parts.Cancel>
          )}
          <CopyByKey />
          <CardMenu>{props.menu}</CardMenu>
        </div>
        <Parts.Progress className="progress-bar" />
        <FailedAttempts call={call} />
        <Approval {...props} />
        <Details {...props} isFull={isFull} onMore={showMore} />
      </li>
    </Parts.Root>
  )
}

interface DetailsProps extends ToolCardProps {
  readonly isFull: boolean
  readonly onMore: () => void
}

function Details({ isFull, onMore, ...shown }: DetailsProps): ReactNode {
  const { isOpen } = Parts.useToolCallPart()
  const section = useInView(isFull && isOpen)
  return (
    <Parts.Content asChild>
      <section
        ref={section}
        className="card-details"
        aria-label={`${labelOf(shown.call)}: details`}
      >
        {isOpen && <CallOutcome {...shown} />}
        {isOpen && isFull && <CallRecord {...shown} />}
        {isOpen && !isFull && (
          <Button className="soft card-more" onClick={onMore}>
            Input and timing
          </Button>
        )}
      </section>
    </Parts.Content>
  )
}

type ApprovalProps = Pick<ToolCardProps, 'agent' | 'call' | 'onAlways'>

/** The question whether a call may run, with exactly the input that it would get. */
function Approval({ agent, call, onAlways }: ApprovalProps): ReactNode {
  const canAnswer = useAgentSelector(agent, ({ can }) => can.send)
  if (!call.approval) return null
  return (
    <Parts.Approval asChild>
      <fieldset className="row card-approval" aria-label="Allow this call?">
        <p className="small approval-question">
          Allow this call? <span className="quiet">Nothing runs until you answer.</span>
        </p>
        <LongText
          text={prettyJson(call.approval.args, call.argsText.length)}
          name={call.toolName}
        />
        <Parts.Approve className="small-button strong-button">Allow</Parts.Approve>
        {onAlways && (
          <Parts.Approve
            className="small-button"
            title="Calls of this tool are not asked about again in this chat"
            {...(canAnswer && { onClick: onAlways })}
          >
            Always in this chat
          </Parts.Approve>
        )}
        <Denial call={call} canAnswer={canAnswer} />
      </fieldset>
    </Parts.Approval>
  )
}

interface DenialProps extends Pick<ApprovalProps, 'call'> {
  readonly canAnswer: boolean
}

/** Denies the call, with a reason if the person gives one. Enter in the field for that does it, too. */
function Denial({ call, canAnswer }: DenialProps): ReactNode {
  const [reason, setReason] = useState('')
  return (
    <form
      className="approval-denial"
      onSubmit={(event) => {
        event.preventDefault()
        // Not with the click on the button: the form would be gone before it is submitted, of which browsers warn.
        if (canAnswer) call.addToolApprovalResponse({ approved: false, reason })
      }}
    >
      <input
        className="small approval-reason"
        aria-label="Why not? The model reads it"
        placeholder="Why not? The model reads it"
        autoComplete="off"
        maxLength={mostOfLine}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <button type="submit" className="small-button" aria-disabled={!canAnswer}>
        Deny
      </button>
    </form>
  )
}

interface CardSummaryProps extends ToolCardProps {
  readonly toggle: RefObject<HTMLButtonElement | null>
}

function CardSummary({ agent, call, summary, isReplay, toggle }: CardSummaryProps): ReactNode {
  const { asked, code, got } = summary ?? plainSummary(call)
  const select = useCallback((state: AgentState) => shownStatus(state.toolCalls, call), [call])
  const current = useAgentSelector(agent, select)
  const attempt = attemptText(call)
  const status = isReplay && call.status === 'starting' ? 'running' : current
  return (
    <Parts.Header ref={toggle} className="small card-toggle">
      <StatusMark status={status} />
      <span className="cut card-label">{labelOf(call)}</span>
      <span className="card-words">
        <span className="cut card-asked" data-code={code}>
          {asked}
        </span>
        {got !== undefined && <span className="cut card-got">{got}</span>}
        {!isReplay && <SlowNote agent={agent} call={call} />}
        {!isReplay && <QuietNote call={call} />}
        {attempt !== undefined && <span className="card-attempt">{attempt}</span>}
      </span>
      <Elapsed call={call} />
      <span className="card-chevron">
        <Icon name="chevron" />
      </span>
    </Parts.Header>
  )
}

interface RetryButtonProps {
  readonly call: { readonly label: string; readonly retry: () => Promise<unknown> }
  /** Gets the focus: the button disappears. */
  readonly next: RefObject<HTMLButtonElement | null>
}

/** A button that runs a call once more, if it did not succeed. */
function RetryButton({ call, next }: RetryButtonProps): ReactNode {
  return (
    <Button
      className="small card-cancel card-retry"
      aria-label={`Retry ${labelOf(call)}`}
      aria-keyshortcuts="r"
      onClick={() => {
        next.current?.focus()
        // The retry is refused only if another tab has retried the call before, which the card shows.
        call.retry().catch(() => {})
      }}
    >
      <Icon name="again" />
      <span>Retry</span>
    </Button>
  )
}

const seenPx = 240

/** What a reader opens at the lower edge is scrolled up until its start is in view. */
function useInView(isOpened: boolean): RefObject<HTMLElement | null> {
  const opened = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const scroller = opened.current?.closest('[role="log"]')
    if (!isOpened || !opened.current || !scroller) return
    const { top, bottom } = opened.current.getBoundingClientRect()
    const hidden = Math.min(bottom, top + seenPx) - scroller.getBoundingClientRect().bottom
    if (hidden > 0) scroller.scrollTop += hidden
  }, [isOpened])
  return opened
}

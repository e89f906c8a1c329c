import type { AgentState } from '@offthread/core'
import { useAgentSelector, useToolCall } from '@offthread/react'
import * as Thread from '@offthread/react/thread'
import * as Parts from '@offthread/react/tool-call'
import { memo, type ReactNode, type RefObject, useCallback, useRef, useState } from 'react'
import { reportRender } from '../render-report.ts'
import { useSession } from '../session.ts'
import { LongText } from '../text/long-text.tsx'
import { prettyJson } from '../text/pretty-json.ts'
import { textOfParts } from '../text/text-of-parts.ts'
import { visibleText } from '../text/visible-text.ts'
import type { DemoCall } from '../tools/host-tools.ts'
import { Guard } from '../ui/guard.tsx'
import { Icon } from '../ui/icon.tsx'
import { attemptText, CallOutcome, CallRecord } from './call-details.tsx'
import { CardMenu } from './card-menu.tsx'
import { Elapsed } from './elapsed.tsx'
import { isPicture } from './results/is-picture.ts'
import { RetryButton } from './retry-button.tsx'
import { shownStatus } from './shown-status.ts'
import { StatusMark } from './status-mark.tsx'
import { summarise } from './summary.ts'
import { useInView } from './use-in-view.ts'

interface ToolCardProps {
  readonly toolCallId: string
}

/** One tool call as a process: what it is, how far it is, how it ended. It renders only when it changes. */
export const ToolCard = memo(function ToolCard(props: ToolCardProps): ReactNode {
  return (
    <Guard fallback={<CallAsWritten toolCallId={props.toolCallId} />}>
      <CallCard {...props} />
    </Guard>
  )
})

/** For a call that cannot be drawn. */
function CallAsWritten({ toolCallId }: ToolCardProps): ReactNode {
  const call = useSession().agent.getState().toolCalls.get(toolCallId)
  const result = textOfParts(call?.result?.content ?? [])
  return (
    <li className="card">
      <LongText text={`${call?.toolName} ${call?.argsText}\n\n${result}`} name="call" />
    </li>
  )
}

function CallCard({ toolCallId }: ToolCardProps): ReactNode {
  const { agent } = useSession()
  const { hold } = Thread.useThread()
  const call = useToolCall(agent, toolCallId)
  const toggle = useRef<HTMLButtonElement>(null)
  // A card that opened by itself shows its outcome only.
  const [isFull, setFull] = useState(false)
  reportRender('card', toolCallId)
  if (!call) return null
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
      toolCallId={toolCallId}
      opensItself={() => opensItself(call)}
      onToggle={showAll}
      asChild
    >
      <li className="card">
        <div className="card-row">
          <CardSummary call={call} toggle={toggle} />
          {call.can.retry ? (
            <RetryButton call={call} next={toggle} />
          ) : (
            <CancelButton call={call} />
          )}
          <CardMenu />
        </div>
        <Parts.Progress
          className="progress-bar"
          aria-label={visibleText(`${call.label}: progress`)}
        />
        <Approval call={call} />
        <Details call={call} isFull={isFull} onMore={showMore} />
      </li>
    </Parts.Root>
  )
}

interface DetailsProps {
  readonly call: DemoCall
  readonly isFull: boolean
  readonly onMore: () => void
}

function Details({ call, isFull, onMore }: DetailsProps): ReactNode {
  const { isOpen } = Parts.useToolCallPart()
  const section = useInView(isFull && isOpen)
  return (
    <Parts.Content asChild>
      <section ref={section} className="card-details" aria-label={`${call.label}: details`}>
        {isOpen && <CallOutcome call={call} />}
        {isOpen && isFull && <CallRecord call={call} />}
        {isOpen && !isFull && (
          <button type="button" className="card-more" onClick={onMore}>
            Input and timing
          </button>
        )}
      </section>
    </Parts.Content>
  )
}

/** Asks for exactly the input that would be used. */
function Approval({ call }: { readonly call: DemoCall }): ReactNode {
  if (!call.approval) return null
  return (
    <Parts.Approval asChild>
      <fieldset className="card-approval" aria-label="Allow this call?">
        <p className="approval-question">Allow this call?</p>
        <LongText
          text={prettyJson(call.approval.args, call.argsText.length)}
          name={call.toolName}
        />
        <Parts.Approve className="small-button strong-button">Allow</Parts.Approve>
        <Parts.Deny className="small-button">Deny</Parts.Deny>
        <span className="quiet">Nothing runs until you answer.</span>
      </fieldset>
    </Parts.Approval>
  )
}

function CancelButton({ call }: { readonly call: DemoCall }): ReactNode {
  return (
    <Parts.Cancel asChild>
      <button type="button" className="card-cancel" aria-label={`Cancel ${call.label}`}>
        <Icon name="cross" />
        <span>Cancel</span>
      </button>
    </Parts.Cancel>
  )
}

interface CardSummaryProps {
  readonly call: DemoCall
  readonly toggle: RefObject<HTMLButtonElement | null>
}

function CardSummary({ call, toggle }: CardSummaryProps): ReactNode {
  const { agent } = useSession()
  const { asked, code, got } = summarise(call)
  const select = useCallback((state: AgentState) => shownStatus(state.toolCalls, call), [call])
  const status = useAgentSelector(agent, select)
  return (
    <Parts.Header ref={toggle} className="card-toggle" asChild>
      <button type="button">
        <StatusMark status={status} />
        <span className="card-label">{call.label}</span>
        <span className="card-words">
          <span className="card-asked" data-code={code}>
            {asked}
          </span>
          {got !== undefined && <span className="card-got">{got}</span>}
          {call.earlier && <span className="card-attempt">{attemptText(call.earlier.length)}</span>}
        </span>
        <Elapsed call={call} />
        <span className="card-chevron">
          <Icon name="chevron" />
        </span>
      </button>
    </Parts.Header>
  )
}

/** Cards of failures and pictures open by themselves, unless the user has opened or closed them. */
function opensItself(call: DemoCall): boolean {
  return call.status === 'failed' || (call.status === 'succeeded' && isPicture(call))
}

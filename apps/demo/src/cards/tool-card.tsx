import { type ToolCallCard, useToolCall } from '@offthread/react'
import { memo, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { reportRender } from '../render-report.ts'
import { useSession } from '../session.ts'
import { LongText } from '../text/long-text.tsx'
import { prettyJson } from '../text/pretty-json.ts'
import { textOfParts } from '../text/text-of-parts.ts'
import type { DemoCall } from '../tools/host-tools.ts'
import { Guard } from '../ui/guard.tsx'
import { Icon } from '../ui/icon.tsx'
import { attemptText, CallOutcome, CallRecord } from './call-details.tsx'
import { Elapsed } from './elapsed.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { isPicture } from './results/is-picture.ts'
import { RetryButton } from './retry-button.tsx'
import { StatusMark } from './status-mark.tsx'
import { summarise } from './summary.ts'

interface ToolCardProps {
  readonly toolCallId: string
  /** A reader opens or closes something: what they look at must stay where it is. */
  readonly onToggle: () => void
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
function CallAsWritten({ toolCallId }: Pick<ToolCardProps, 'toolCallId'>): ReactNode {
  const call = useSession().agent.getState().toolCalls.get(toolCallId)
  const result = textOfParts(call?.result?.content ?? [])
  return (
    <li className="card">
      <LongText text={`${call?.toolName} ${call?.argsText}\n\n${result}`} name="call" />
    </li>
  )
}

function CallCard({ toolCallId, onToggle }: ToolCardProps): ReactNode {
  const { agent } = useSession()
  const call = useToolCall(agent, toolCallId)
  const [choice, setChoice] = useState<boolean | null>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const detailsId = useId()
  reportRender('card', toolCallId)
  if (!call) return null
  // A card that opened by itself shows its outcome only.
  const open = choice ?? opensItself(call)
  const toggleTo = (next: boolean): void => {
    onToggle()
    setChoice(next)
    toggle.current?.focus()
  }
  return (
    <li className="card" data-status={call.status} data-tool={call.toolName} data-open={open}>
      <div className="card-row">
        <CardSummary
          call={call}
          open={open}
          detailsId={detailsId}
          toggle={toggle}
          onToggle={() => toggleTo(!open)}
        />
        {call.can.retry && <RetryButton call={call} next={toggle} />}
        {!call.hasEnded && !call.can.retry && <CancelButton call={call} next={toggle} />}
      </div>
      {isBusy(call) && <ProgressBar label={call.label} progress={call.progress} />}
      <Approval call={call} />
      <section
        className="card-details"
        id={detailsId}
        aria-label={`${call.label}: details`}
        hidden={!open}
      >
        {open && <CallOutcome call={call} />}
        {choice && <CallRecord call={call} />}
        {open && !choice && (
          <button type="button" className="card-more" onClick={() => toggleTo(true)}>
            Input and timing
          </button>
        )}
      </section>
    </li>
  )
}

function Approval({ call }: { readonly call: ToolCallCard }): ReactNode {
  if (!call.approval) return null
  return (
    <fieldset className="card-approval">
      <legend>Allow this call?</legend>
      <LongText text={prettyJson(call.approval.args, call.argsText.length)} name={call.toolName} />
      {[true, false].map((approved) => (
        <button
          key={String(approved)}
          type="button"
          className="small-button"
          onClick={() => call.addToolApprovalResponse({ approved })}
        >
          {approved ? 'Allow' : 'Deny'}
        </button>
      ))}
    </fieldset>
  )
}

interface CardSummaryProps {
  readonly call: DemoCall
  readonly open: boolean
  readonly detailsId: string
  readonly toggle: RefObject<HTMLButtonElement | null>
  readonly onToggle: () => void
}

function CardSummary({ call, open, detailsId, toggle, onToggle }: CardSummaryProps): ReactNode {
  const { asked, code, got } = summarise(call)
  return (
    <button
      ref={toggle}
      type="button"
      className="card-toggle"
      aria-expanded={open}
      aria-controls={detailsId}
      onClick={onToggle}
    >
      <StatusMark status={call.status} />
      <span className="card-label">{call.label}</span>
      <span className="card-asked" data-code={code}>
        {asked}
      </span>
      {got !== undefined && <span className="card-got">{got}</span>}
      {call.earlier && <span className="card-got">{attemptText(call.earlier.length)}</span>}
      <Elapsed call={call} />
      <span className="card-chevron">
        <Icon name="chevron" />
      </span>
    </button>
  )
}

interface CancelButtonProps {
  readonly call: DemoCall & { readonly cancel: () => boolean }
  /** Gets the focus if the button has it and disappears. */
  readonly next: RefObject<HTMLButtonElement | null>
}

function CancelButton({ call, next }: CancelButtonProps): ReactNode {
  const cancelling = call.status === 'cancelling'
  const writing = call.status === 'input_streaming'
  return (
    <button
      ref={(button) => () => {
        if (document.activeElement === button) next.current?.focus()
      }}
      type="button"
      className="card-cancel"
      // `disabled` would drop the focus.
      aria-disabled={cancelling || writing}
      aria-label={`Cancel ${call.label}`}
      onClick={() => {
        if (!cancelling && !writing) call.cancel()
      }}
    >
      Cancel
    </button>
  )
}

/** Cards of failures and pictures open by themselves, unless the user has opened or closed them. */
function opensItself(call: DemoCall): boolean {
  return call.status === 'failed' || (call.status === 'succeeded' && isPicture(call))
}

function isBusy({ status }: DemoCall): boolean {
  return status === 'starting' || status === 'running' || status === 'cancelling'
}

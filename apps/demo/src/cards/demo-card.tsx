import { useToolCall } from '@offthread/react'
import type { PanelTarget } from '@offthread/react/run-panel'
import { memo, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { reportRender } from '../render-report.ts'
import { useSession } from '../session.ts'
import { LongText } from '../text/long-text.tsx'
import { textOfParts } from '../text/text-of-parts.ts'
import type { DemoCall } from '../tools/host-tools.ts'
import { Guard } from '../ui/guard.tsx'
import { Icon } from '../ui/icon.tsx'
import { closeMenu } from '../ui/menu.tsx'
import { CallResult } from './results/call-result.tsx'
import { FileRepairs } from './results/file-repairs.tsx'
import { isPicture } from './results/is-picture.ts'
import { summarise } from './summary.ts'
import { ToolCard } from './tool-card.tsx'

interface DemoCardProps {
  readonly toolCallId: string
}

/** The card of a call, with what the demo shows of its tools. It renders only when the call changes. */
export const DemoCard = memo(function DemoCard(props: DemoCardProps): ReactNode {
  return (
    <Guard fallback={<CallAsWritten {...props} />}>
      <CallCard {...props} />
    </Guard>
  )
})

/** The plain card in place of one that fails to render. */
function CallAsWritten({ toolCallId }: DemoCardProps): ReactNode {
  const call = useSession().agent.getState().toolCalls.get(toolCallId)
  const result = textOfParts(call?.result?.content ?? [])
  return (
    <li className="card">
      <LongText text={`${call?.toolName} ${call?.argsText}\n\n${result}`} name="call" />
    </li>
  )
}

function CallCard({ toolCallId }: DemoCardProps): ReactNode {
  const { agent, approvals, shownCall, isReplay } = useSession()
  const call = useToolCall(agent, toolCallId)
  const isChosen = useStore(shownCall, ({ chosenId }) => chosenId === toolCallId)
  reportRender('card', toolCallId)
  if (!call) return null
  return (
    <ToolCard
      agent={agent}
      call={call}
      summary={summarise(call)}
      result={call.result && <CallResult call={call} result={call.result} />}
      input={codeOf(call)}
      help={<FileRepairs call={call} />}
      opensItself={opensItself(call)}
      isReplay={isReplay}
      onAlways={() => approvals.allow(call.toolName)}
      isChosen={isChosen}
      menu={
        <>
          <InPanel toolCallId={toolCallId} tab="timeline" />
          <InPanel toolCallId={toolCallId} tab="events" />
          <AskAgain call={call} />
        </>
      }
    />
  )
}

/** Shows the call in the run panel. */
function InPanel(target: PanelTarget): ReactNode {
  const { shownCall } = useSession()
  return (
    <button
      type="button"
      className="menu-item"
      onClick={({ currentTarget }) => {
        closeMenu(currentTarget)
        shownCall.reveal({ ...target })
      }}
    >
      <Icon name={ways[target.tab].icon} />
      {ways[target.tab].label}
    </button>
  )
}

const ways = {
  timeline: { label: 'Show in timeline', icon: 'waterfall' },
  events: { label: 'Show its events', icon: 'queue' },
} as const

/** A button that takes back an approval for the rest of the chat. */
function AskAgain({ call: { toolName, label } }: { readonly call: DemoCall }): ReactNode {
  const { approvals, isReplay } = useSession()
  const isAllowed = useStore(approvals, (tools) => tools.has(toolName))
  if (!isAllowed || isReplay) return null
  return (
    <button type="button" className="menu-item" onClick={() => approvals.askAgain(toolName)}>
      <Icon name="hand" />
      Ask before {label} again
    </button>
  )
}

/** An input that is code is shown as code. */
function codeOf(call: DemoCall): string | undefined {
  if (call.hasValidArgs && call.toolName === 'sql_query') return call.args.sql
  if (call.hasValidArgs && call.toolName === 'run_js') return call.args.code
  return undefined
}

/** Cards of failures and pictures open by themselves, unless the user has opened or closed them. */
function opensItself(call: DemoCall): boolean {
  return call.status === 'failed' || (call.status === 'succeeded' && isPicture(call))
}

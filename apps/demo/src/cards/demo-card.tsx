import { useToolCall } from '@offthread/react'
import type { PanelTarget } from '@offthread/react/run-panel'
import { memo, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { Questions } from '../chat/questions.tsx'
import { repairsOf } from '../files/repairs.ts'
import { reportRender } from '../render-report.ts'
import { useModels, useSession } from '../session.ts'
import { LongText } from '../text/long-text.tsx'
import { textOfParts } from '../text/text-of-parts.ts'
import type { DemoCall } from '../tools/host-tools.ts'
import { Button } from '../ui/button.tsx'
import { Guard } from '../ui/guard.tsx'
import { Icon } from '../ui/icon.tsx'
import { closeMenu } from '../ui/menu.tsx'
import { CallResult } from './results/call-result.tsx'
import { gridOf, tileOf } from './results/fractal-picture.tsx'
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
    <Button
      className="menu-item"
      onClick={({ currentTarget }) => {
        closeMenu(currentTarget)
        shownCall.reveal({ ...target })
      }}
    >
      <Icon name={ways[target.tab].icon} />
      {ways[target.tab].label}
    </Button>
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
    <Button className="menu-item" onClick={() => approvals.askAgain(toolName)}>
      <Icon name="hand" />
      Ask before {label} again
    </Button>
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

/**
 * Whether the result of a call is a picture. Of the tiles of one picture only the last one counts, because its card
 * shows all of them.
 */
function isPicture(call: DemoCall): boolean {
  const tile = tileOf(call)
  if (tile) {
    const { columns, rows } = gridOf(tile)
    return tile.column === columns - 1 && tile.row === rows - 1
  }
  return call.toolName === 'plot' || call.toolName === 'edit_image'
}

/**
 * Buttons that repair a file which could not be loaded, or only with doubt. The scripted planner offers them in its
 * answer.
 */
function FileRepairs({ call }: { readonly call: DemoCall }): ReactNode {
  const { settings } = useModels()
  if (call.toolName !== 'load_table' || !call.hasValidArgs || !call.hasEnded) return null
  if (settings.provider === 'planner') return null
  const said = call.output?.notes.join('\n') ?? textOfParts(call.result?.content ?? [])
  const repairs = repairsOf(call.args.file, said)
  return repairs.length > 0 && <Questions questions={repairs} />
}

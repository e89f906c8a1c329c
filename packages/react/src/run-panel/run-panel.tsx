import type { Agent, Tool } from '@offthread/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useEventRecord } from '../event-record.ts'
import { ReplayBar } from '../inspector/replay-bar.tsx'
import { UsageTable } from '../inspector/usage-table.tsx'
import { goThrough, replayOf } from '../shared-replay.ts'
import { type ReplayView, useReplay } from '../use-replay.ts'
import { EventsTab } from './events-tab.tsx'
import { Tabs } from './tabs.tsx'
import { TimelineTab } from './timeline-tab.tsx'
import { useNews } from './use-news.ts'

/** A replay that is shown. */
export interface Replayed<T extends Tool = Tool> {
  /** What to show in place of the agent: it takes no commands. */
  readonly agent: Agent<T>
  /** Shows the agent itself again. */
  readonly exit: () => void
}

/** A call to look at in the panel. */
export interface PanelTarget {
  /** The tab to show it in: among the bars, or in the log. */
  readonly tab: 'timeline' | 'events'
  /** The id of the call. */
  readonly toolCallId: string
}

/** Whose runs are shown. */
export interface RunPanelProps<T extends Tool = Tool> {
  /** The live agent. */
  readonly agent: Agent<T>
  /**
   * Called when a replay begins, with the agent to show in place of the live one, and with `null` when it ends; it ends when
   * the panel is unmounted. Without it the panel alone goes through the log. Keep its identity.
   */
  readonly onReplay?: (replayed: Replayed<T> | null) => void
  /**
   * Called for "Fork from here" in a replay, with the last message before that moment. Without it there is no button.
   */
  readonly onFork?: (messageId: string) => void
  /** The call to show. A new object shows it again. */
  readonly target?: PanelTarget | undefined
  /** Called when another row of the timeline is chosen: with the id of its call, with `null` if it is of none. */
  readonly onChoose?: (toolCallId: string | null) => void
}

const tabs = [
  { name: 'timeline', label: 'Timeline' },
  { name: 'events', label: 'Events' },
  { name: 'usage', label: 'Usage' },
] as const

/**
 * What an agent did, live and again: the timeline of each run, the log with what each event changed, the tokens, and a bar
 * to go through it all. Nothing is run or asked. `runPanelStyles` gives it its look.
 *
 * @example
 * ```tsx
 * const [replayed, setReplayed] = useState<Replayed | null>(null)
 * return (
 *   <>
 *     <Conversation agent={replayed?.agent ?? agent} />
 *     <RunPanel agent={agent} onReplay={setReplayed} />
 *   </>
 * )
 * ```
 */
export function RunPanel<T extends Tool = Tool>({
  agent,
  onReplay,
  onFork,
  target,
  onChoose,
}: RunPanelProps<T>): ReactNode {
  const replay = useReplay<T>(agent)
  useReplayed(replay, onReplay)
  useFarMoments(agent)
  const { position, seek, error } = replay
  const { tab, setTab, query, setQuery, call, showBar, showEvents } = useShownTab(target)
  const [chosen, setChosen] = useState<number | null>(null)
  const isReplay = position !== null
  return (
    <section className="offthread-panel" aria-label="Run panel" data-replaying={isReplay}>
      <Tabs tabs={tabs} active={tab} onChange={setTab} label="Run panel">
        {tab === 'timeline' && (
          <TimelineTab
            agent={agent}
            position={position}
            onShowEvents={showEvents}
            target={call}
            onChoose={onChoose}
          />
        )}
        {tab === 'events' && (
          <EventsTab
            agent={agent}
            query={query}
            onQueryChange={setQuery}
            active={position ?? chosen}
            onActiveChange={(next) => (isReplay && next !== null ? seek(next) : setChosen(next))}
            onReplay={isReplay ? undefined : seek}
            onShowBar={showBar}
          />
        )}
        {tab === 'usage' && <UsageTable agent={agent} position={position} />}
      </Tabs>
      {error && (
        <p role="alert" data-part="problem">
          {error.message}
        </p>
      )}
      <ReplayBar agent={agent} replay={replay} {...(onFork && { onFork })} />
    </section>
  )
}

/** The tab that is shown, and its selection: the last choice of the user or the page. */
function useShownTab(target: PanelTarget | undefined) {
  const [tab, setTab] = useState<(typeof tabs)[number]['name']>('timeline')
  const [query, setQuery] = useState('')
  const showEvents = (next: string): void => {
    setQuery(next)
    setTab('events')
  }
  const [call, setCall] = useState<Pick<PanelTarget, 'toolCallId'>>()
  const showBar = (toolCallId: string): void => {
    setCall({ toolCallId })
    setTab('timeline')
  }
  useNews(target, ({ tab: wanted, toolCallId }) => {
    if (wanted === 'events') showEvents(`call:${toolCallId}`)
    else showBar(toolCallId)
  })
  return { tab, setTab, query, setQuery, call, showBar, showEvents }
}

const manyEvents = 4096

/** Prepares a long log, so that jumps in it are fast. */
function useFarMoments(agent: Agent): void {
  const { events, length } = useEventRecord(agent)
  const reached = Math.floor(length / manyEvents) * manyEvents
  useEffect(() => {
    if (reached === 0) return undefined
    return goThrough(replayOf(agent, events), Math.max(0, reached - manyEvents), reached)
  }, [agent, events, reached])
}

/** Says when a replay begins and ends: not with each step, for its agent stays the same. */
function useReplayed<T extends Tool>(
  { agent, position, exit }: ReplayView<T>,
  onReplay: RunPanelProps<T>['onReplay'],
): void {
  const isReplay = position !== null
  useEffect(() => {
    if (!onReplay || !isReplay) return undefined
    onReplay({ agent, exit })
    return () => onReplay(null)
  }, [onReplay, isReplay, agent, exit])
}

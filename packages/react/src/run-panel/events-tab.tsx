import type { Agent } from '@offthread/core'
import { type ReactNode, useDeferredValue } from 'react'
import { useEventRecord } from '../event-record.ts'
import { EventDetail } from '../inspector/event-detail.tsx'
import { EventList } from '../inspector/event-list.tsx'
import { useEventCounts } from '../inspector/use-event-counts.ts'
import { useEventLines } from '../inspector/use-event-lines.ts'
import { scrollRegion } from '../rows/roles.ts'

interface EventsTabProps {
  /** The live agent. */
  readonly agent: Agent
  readonly query: string
  readonly onQueryChange: (query: string) => void
  /** The event that is chosen, or the moment of a replay. */
  readonly active: number | null
  readonly onActiveChange: (position: number | null) => void
  /** Shows the agent as it was after the event that is chosen; `undefined` in a replay, which shows it anyway. */
  readonly onReplay: ((position: number) => void) | undefined
  /** Shows a call in the timeline. */
  readonly onShowBar: (toolCallId: string) => void
}

const filters = [
  ['All', ''],
  ['Calls', 'type:tool'],
  ['Messages', 'type:message'],
  ['Runs', 'type:agent type:turn'],
  ['Problems', 'level:warn level:error'],
] as const
const queries = filters.map(([, filter]) => filter)

/** The log, and one event of it in full. */
export function EventsTab({
  agent,
  query,
  onQueryChange,
  active,
  onActiveChange,
  onReplay,
  onShowBar,
}: EventsTabProps): ReactNode {
  const lines = useEventLines(agent, useDeferredValue(query))
  const counts = useEventCounts(agent, queries)
  return (
    <>
      <div data-part="toolbar">
        <input
          type="search"
          data-part="search"
          aria-label="Filter events"
          maxLength={1000}
          placeholder="Filter: tool:sql call:call_1 …"
          value={query}
          onChange={({ target }) => onQueryChange(target.value)}
        />
        {filters.map(([name, filter], index) => (
          <button
            key={name}
            type="button"
            data-part="chip"
            aria-pressed={query === filter}
            onClick={() => onQueryChange(filter)}
          >
            {name} <span data-part="count">{counts[index]?.toLocaleString('en')}</span>
          </button>
        ))}
      </div>
      {lines.list.length === 0 ? (
        <p data-part="empty">{query ? 'No event fits the filter.' : 'Nothing has happened yet.'}</p>
      ) : (
        <EventList lines={lines} active={active} onActiveChange={onActiveChange} />
      )}
      {active !== null && active > 0 && (
        <ChosenEvent {...{ agent, active, onActiveChange, onReplay, onShowBar }} />
      )}
    </>
  )
}

type ChosenEventProps = Omit<EventsTabProps, 'query' | 'onQueryChange' | 'active'> & {
  readonly active: number
}

/** One event in full, with links to its call and to a replay. */
function ChosenEvent({
  agent,
  active,
  onActiveChange,
  onReplay,
  onShowBar,
}: ChosenEventProps): ReactNode {
  const event = useEventRecord(agent).events[active - 1]
  const toolCallId = event && 'toolCallId' in event ? event.toolCallId : undefined
  return (
    <div data-part="event-detail" {...scrollRegion('Event')}>
      <p data-part="buttons">
        {onReplay && (
          <button type="button" data-part="button" onClick={() => onReplay(active)}>
            Show this moment
          </button>
        )}
        {toolCallId !== undefined && (
          <button type="button" data-part="button" onClick={() => onShowBar(toolCallId)}>
            Show its bar
          </button>
        )}
        {onReplay && (
          <button type="button" data-part="button" onClick={() => onActiveChange(null)}>
            Close
          </button>
        )}
      </p>
      <EventDetail agent={agent} position={active} />
    </div>
  )
}

import type { Agent } from '@offthread/core'
import { type ReactNode, useMemo } from 'react'
import { useEventRecord } from '../event-record.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { replayOf } from '../shared-replay.ts'
import { visibleText } from '../visible-text.ts'
import { printJson } from './print-json.ts'
import { type Change, changesBetween } from './state-diff.ts'

/** Which event is shown in full. */
export interface EventDetailProps {
  /** The agent whose log it is in. */
  readonly agent: Agent
  /** The number of the event in the log, from 1. */
  readonly position: number
}

/**
 * One event in full, and what it changed in the state that the agent shows. Of values that are too long it shows the
 * first part; a button copies the whole event as JSON. It has no style: `data-part` names its parts.
 *
 * @example
 * ```tsx
 * return <EventDetail agent={agent} position={142} />
 * ```
 */
export function EventDetail({ agent, position }: EventDetailProps): ReactNode {
  const { events, length } = useEventRecord(agent)
  const event = position <= length ? events[position - 1] : undefined
  const changes = useMemo(() => {
    if (!event) return []
    const replay = replayOf(agent, events)
    return changesBetween(replay.at(position - 1), replay.at(position))
  }, [agent, events, event, position])
  if (!event) return null
  const { v: _, sessionId: _same, seq, sub, type, ...facts } = event
  const number = sub === undefined ? String(seq) : `${seq}.${sub}`
  return (
    <div data-part="detail">
      <h3>
        {type}{' '}
        <small>
          event {position}, seq {number}
        </small>
      </h3>
      <h4>State</h4>
      {changes.length > 0 ? (
        <ul data-part="changes">
          {changes.map((change) => (
            <ChangeLine key={change.path} change={change} />
          ))}
        </ul>
      ) : (
        <p data-part="quiet">It changed nothing that is shown.</p>
      )}
      <h4>
        Event{' '}
        <CopyButton data-part="button" text={() => JSON.stringify(event, null, 2)}>
          Copy JSON
        </CopyButton>
      </h4>
      <pre>{visibleText(printJson(facts))}</pre>
    </div>
  )
}

function ChangeLine({ change: { path, before, after } }: { readonly change: Change }): ReactNode {
  const added = addedText(before, after)
  return (
    <li>
      <code>{visibleText(path)}</code>{' '}
      {before !== undefined && added === null && <del>{shortJson(before)}</del>}{' '}
      {after !== undefined && (
        <ins>{added === null ? shortJson(after) : `+ ${shortJson(added)}`}</ins>
      )}
    </li>
  )
}

/** The text by which a text has grown; `null` if it was not just continued. */
function addedText(before: unknown, after: unknown): string | null {
  if (typeof before !== 'string' || typeof after !== 'string' || before === '') return null
  return after.startsWith(before) ? after.slice(before.length) : null
}

function shortJson(value: unknown): string {
  return visibleText(printJson(value, { most: 300, indent: 0 }))
}

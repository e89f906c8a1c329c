import { type KeyboardEvent, memo, type ReactNode, useEffect, useId } from 'react'
import { useFocusAfter } from '../parts/focus.ts'
import { shownName } from '../parts/shown-text.ts'
import { formatBytes } from '../rows/format-bytes.ts'
import { formatMs } from '../rows/format-ms.ts'
import { optionRole } from '../rows/roles.ts'
import { rowAfterKey } from '../rows/row-after-key.ts'
import { useRowWindow } from '../rows/use-row-window.ts'
import type { EventLine, EventLines } from './event-lines.ts'
import { summaryOf } from './event-words.ts'

/** What a list of events shows, and what happens when one is chosen. */
export interface EventListProps {
  /** What `useEventLines` gave. */
  readonly lines: EventLines
  /** The event that is chosen: its number in the log, from 1. */
  readonly active: number | null
  /** Called when another event is chosen, with a click or with the arrow keys. */
  readonly onActiveChange: (position: number) => void
}

const rowPx = 24

/**
 * The lines of a log: the number of the event, when it was in its run, how long after the line before, its type, what it is
 * about, and its size as JSON. Only those in view are mounted. The end stays in view until its reader scrolls up or chooses
 * an event; then a button says how many lines have come since, and leads there. It is one stop of the Tab key; the arrow
 * keys, Page Up and Down, Home and End choose an event. It has no style: `data-part` names its parts.
 *
 * @example
 * ```tsx
 * const [active, setActive] = useState<number | null>(null)
 * return <EventList lines={useEventLines(agent)} active={active} onActiveChange={setActive} />
 * ```
 */
export function EventList({
  lines: { list, indexOf },
  active,
  onActiveChange,
}: EventListProps): ReactNode {
  const activeIndex = active === null ? -1 : indexOf(active)
  const { scroller, start, end, added, reveal, toEnd } = useRowWindow({
    ...{ count: list.length, rowPx, followsEnd: true },
    source: indexOf,
  })
  const option = useId()
  useEffect(() => {
    if (activeIndex >= 0) reveal(activeIndex)
  }, [activeIndex, reveal])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = rowAfterKey(event.key, activeIndex, list.length)
    const line = next === null ? undefined : list[next]
    if (!line) return
    event.preventDefault()
    onActiveChange(line.last)
  }
  return (
    <div data-part="event-list">
      <ColumnNames />
      <div
        ref={scroller}
        role="listbox"
        tabIndex={0}
        aria-label="Events"
        {...(activeIndex >= 0 && { 'aria-activedescendant': `${option}${activeIndex}` })}
        data-part="events"
        onKeyDown={onKeyDown}
        onClick={({ target }) => {
          const line = list[indexIn(target)]
          if (line) onActiveChange(line.last)
        }}
      >
        <div role="presentation" style={{ position: 'relative', height: list.length * rowPx }}>
          {list.slice(start, end).map((line, at) => (
            <EventRow
              key={line.first}
              id={`${option}${start + at}`}
              line={line}
              index={start + at}
              count={list.length}
              isActive={start + at === activeIndex}
            />
          ))}
        </div>
      </div>
      {added > 0 && (
        <ToNewest added={added} onClick={toEnd} onGone={() => scroller.current?.focus()} />
      )}
    </div>
  )
}

const columns = [
  ['position', '#'],
  ['at', 'Time'],
  ['since', 'Δ'],
  ['type', 'Type'],
  ['about', 'What'],
  ['bytes', 'Size'],
] as const

/** For the eye only: in a screen reader a list has no columns, and each line says what it is. */
function ColumnNames(): ReactNode {
  return (
    <div data-part="columns" aria-hidden="true">
      {columns.map(([part, name]) => (
        <span key={part} data-part={part}>
          {name}
        </span>
      ))}
    </div>
  )
}

interface ToNewestProps {
  readonly added: number
  readonly onClick: () => void
  readonly onGone: () => void
}

function ToNewest({ added, onClick, onGone }: ToNewestProps): ReactNode {
  const button = useFocusAfter<HTMLButtonElement>(onGone)
  return (
    <button ref={button} type="button" data-part="newest" onClick={onClick}>
      <span aria-hidden="true">↓ </span>
      {added.toLocaleString('en')} new
    </button>
  )
}

interface EventRowProps {
  readonly id: string
  readonly line: EventLine
  readonly index: number
  readonly count: number
  readonly isActive: boolean
}

const EventRow = memo(function EventRow({ id, line, index, count, isActive }: EventRowProps) {
  const { event, at, since, level } = line
  return (
    <div
      {...optionRole({ isSelected: isActive, index, count })}
      id={id}
      data-part="event"
      data-index={index}
      data-type={event.type}
      data-level={level}
      data-active={isActive}
      style={{ position: 'absolute', insetInline: 0, top: index * rowPx, height: rowPx }}
    >
      <span data-part="position">{line.first}</span>
      <span data-part="at">{at === null ? '' : formatMs(at)}</span>
      <span data-part="since">{since === null ? '' : `+${formatMs(since)}`}</span>
      <span data-part="type">{event.type}</span>
      <span data-part="about">
        {line.subject !== '' && <span data-part="subject">{shownName(line.subject)} </span>}
        <span data-part="summary">{summaryOf(line)}</span>
      </span>
      <span data-part="bytes">{formatBytes(line.bytes)}</span>
    </div>
  )
})

function indexIn(target: EventTarget): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset['index']) : -1
}

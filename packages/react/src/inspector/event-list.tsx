import { type KeyboardEvent, memo, type ReactNode, useEffect, useId } from 'react'
import { escapeInvisible } from '../rows/escape-invisible.ts'
import { formatMs } from '../rows/format-ms.ts'
import { optionRole } from '../rows/roles.ts'
import { rowAfterKey } from '../rows/row-after-key.ts'
import { useRowWindow } from '../rows/use-row-window.ts'
import type { EventLine } from './event-lines.ts'
import { summaryOf } from './event-words.ts'

/** What a list of events shows, and what happens when one is chosen. */
export interface EventListProps {
  /** What `useEventLines` gave. */
  readonly lines: readonly EventLine[]
  /** The event that is chosen: its number in the log, from 1. */
  readonly active: number | null
  /** Called when another one is chosen, with a click or with the arrow keys. */
  readonly onActiveChange: (position: number) => void
}

const rowPx = 24

/**
 * The lines of a log. Only those in view are mounted, and the end stays in view until its reader scrolls up. It is one stop
 * of the Tab key; the arrow keys, Page Up and Down, Home and End choose an event. It has no style: `data-part` names its
 * parts.
 *
 * @example
 * ```tsx
 * const [active, setActive] = useState<number | null>(null)
 * return <EventList lines={useEventLines(agent)} active={active} onActiveChange={setActive} />
 * ```
 */
export function EventList({ lines, active, onActiveChange }: EventListProps): ReactNode {
  const activeIndex = active === null ? -1 : indexOfLine(lines, active)
  const { scroller, start, end, reveal } = useRowWindow({
    ...{ count: lines.length, rowPx },
    followsEnd: active === null,
  })
  const option = useId()
  useEffect(() => {
    if (activeIndex >= 0) reveal(activeIndex)
  }, [activeIndex, reveal])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = rowAfterKey(event.key, activeIndex, lines.length)
    const line = next === null ? undefined : lines[next]
    if (!line) return
    event.preventDefault()
    onActiveChange(line.last)
  }
  return (
    <div
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-label="Events"
      {...(activeIndex >= 0 && { 'aria-activedescendant': `${option}${activeIndex}` })}
      data-part="events"
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        const line = lines[indexOf(target)]
        if (line) onActiveChange(line.last)
      }}
    >
      <div role="presentation" style={{ position: 'relative', height: lines.length * rowPx }}>
        {lines.slice(start, end).map((line, at) => (
          <EventRow
            key={line.first}
            id={`${option}${start + at}`}
            line={line}
            index={start + at}
            count={lines.length}
            isActive={start + at === activeIndex}
          />
        ))}
      </div>
    </div>
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
  const { event, at } = line
  return (
    <div
      {...optionRole({ isSelected: isActive, index, count })}
      id={id}
      data-part="event"
      data-index={index}
      data-type={event.type}
      data-active={isActive}
      style={{ position: 'absolute', insetInline: 0, top: index * rowPx, height: rowPx }}
    >
      <span data-part="position">{line.last}</span>
      <span data-part="at">{at === null ? '' : formatMs(at)}</span>
      <span data-part="type">{event.type}</span>
      <span data-part="about">
        {line.subject !== '' && <span data-part="subject">{escapeInvisible(line.subject)} </span>}
        <span data-part="summary">{summaryOf(line)}</span>
      </span>
    </div>
  )
})

/** The line that an event is in; else the last one before it. */
function indexOfLine(lines: readonly EventLine[], position: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.first ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low - 1
}

function indexOf(target: EventTarget): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset['index']) : -1
}

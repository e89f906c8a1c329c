import type { LogLine, ToolCallView } from '@offthread/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { inPlace } from '../ui/in-place.ts'
import { ScrollBox } from '../ui/scroll-box.tsx'

const mostLines = 200

/** The last lines of a log. It follows the end until the user scrolls up. */
export function LogTail({ logs }: { readonly logs: ToolCallView['logs'] }): ReactNode {
  const box = useRef<HTMLElement>(null)
  const following = useRef(true)
  const [isFiltered, setFiltered] = useState(false)
  const serious = logs.lines.filter(isSerious)
  const hasBoth = serious.length > 0 && serious.length < logs.lines.length
  const fitting = isFiltered && hasBoth ? serious : logs.lines
  const lines = fitting.slice(-mostLines)
  const dropped = logs.dropped + fitting.length - lines.length
  useLayoutEffect(() => {
    const { current } = box
    if (current && following.current) current.scrollTop = current.scrollHeight
  })
  return (
    <>
      {hasBoth && (
        <button
          type="button"
          className="log-filter"
          aria-pressed={isFiltered}
          onClick={() => setFiltered(!isFiltered)}
        >
          Warnings and errors only ({serious.length})
        </button>
      )}
      {dropped > 0 && <p className="quiet">+{dropped.toLocaleString('en')} dropped</p>}
      <ScrollBox
        as="pre"
        ref={box}
        className="log-tail"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          following.current = scrollHeight - scrollTop - clientHeight < 24
        }}
      >
        {inPlace(toLogRuns(lines), ({ tone, text }) => (
          <span className="log-run" data-tone={tone}>
            {text}
          </span>
        ))}
      </ScrollBox>
    </>
  )
}

/** Adjacent lines of one tone, as one text. */
interface LogRun {
  readonly tone: 'plain' | 'warn' | 'error'
  readonly text: string
}

function isSerious(line: LogLine): line is LogLine & { readonly level: 'warn' | 'error' } {
  return line.level === 'warn' || line.level === 'error'
}

/** Joins lines into few texts, so that a log of thousands of lines needs few elements. */
function toLogRuns(lines: readonly LogLine[]): readonly LogRun[] {
  const runs: LogRun[] = []
  for (const line of lines) {
    const tone = isSerious(line) ? line.level : 'plain'
    const word = tone === 'plain' ? '' : `${tone}: `
    const text = `${(line.t / 1000).toFixed(2).padStart(7)}  ${word}${line.text}\n`
    const last = runs.at(-1)
    if (last?.tone === tone) runs[runs.length - 1] = { tone, text: last.text + text }
    else runs.push({ tone, text })
  }
  return runs
}

import type { LogLine, ToolCallView } from '@offthread/core'
import { visibleText } from '@offthread/react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { layoutWeight } from '../text/layout-weight.ts'
import { Button } from '../ui/button.tsx'
import { inPlace } from '../ui/in-place.ts'
import { ScrollBox } from '../ui/scroll-box.tsx'

const mostLines = 200
const mostChars = 15_000

type Level = LogLine['level']

/** In the order of their buttons. */
const levels: readonly Level[] = ['debug', 'info', 'warn', 'error']

/** The last lines of a log, or those of some levels. It follows the end until the user scrolls up. */
export function LogTail({ logs }: { readonly logs: ToolCallView['logs'] }): ReactNode {
  const box = useRef<HTMLElement>(null)
  const following = useRef(true)
  const [chosen, setChosen] = useState<readonly Level[]>([])
  const fitting =
    chosen.length > 0 ? logs.lines.filter(({ level }) => chosen.includes(level)) : logs.lines
  const lines = lastOf(fitting)
  const dropped = logs.dropped + fitting.length - lines.length
  // After each render: each may have added lines.
  useLayoutEffect(() => {
    const { current } = box
    if (current && following.current) current.scrollTop = current.scrollHeight
  })
  return (
    <>
      <LevelFilter lines={logs.lines} chosen={chosen} onChoose={setChosen} />
      {dropped > 0 && <p className="quiet">+{dropped.toLocaleString('en')} dropped</p>}
      <ScrollBox
        as="pre"
        ref={box}
        className="log-tail"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          following.current = scrollHeight - scrollTop - clientHeight < 24
        }}
      >
        {inPlace(joined(lines), ({ tone, text }) => (
          <span className="log-run" data-tone={tone}>
            {text}
          </span>
        ))}
      </ScrollBox>
    </>
  )
}

/** The last lines that the page can lay out at once. */
function lastOf(lines: readonly LogLine[]): readonly LogLine[] {
  let weight = 0
  const before = lines.findLastIndex(({ text }) => {
    weight += layoutWeight(visibleText(text))
    return weight > mostChars
  })
  return lines.slice(Math.max(lines.length - mostLines, Math.min(before + 1, lines.length - 1), 0))
}

interface LevelFilterProps {
  readonly lines: readonly LogLine[]
  readonly chosen: readonly Level[]
  readonly onChoose: (chosen: readonly Level[]) => void
}

/**
 * A button for each level of the log, if there are several. A level that was chosen stays, even when the log has
 * forgotten its lines.
 */
function LevelFilter({ lines, chosen, onChoose }: LevelFilterProps): ReactNode {
  const counts = levels.map((level) => ({
    level,
    count: lines.filter((line) => line.level === level).length,
  }))
  const shown = counts.filter(({ level, count }) => count > 0 || chosen.includes(level))
  if (shown.length < 2 && chosen.length === 0) return null
  return (
    <fieldset className="wrap log-filters" aria-label="Show only">
      {shown.map(({ level, count }) => {
        const isChosen = chosen.includes(level)
        return (
          <Button
            key={level}
            className="soft log-filter"
            aria-pressed={isChosen}
            onClick={() =>
              onChoose(isChosen ? chosen.filter((one) => one !== level) : [...chosen, level])
            }
          >
            {level} {count}
          </Button>
        )
      })}
    </fieldset>
  )
}

/** Joins adjacent lines of one tone, so that a log of thousands of lines needs few elements. */
function joined(lines: readonly LogLine[]) {
  const texts: { readonly tone: Level; text: string }[] = []
  for (const { level, t, text } of lines) {
    const isSerious = level === 'warn' || level === 'error'
    const tone = isSerious ? level : 'info'
    const line = `${(t / 1000).toFixed(2).padStart(7)}  ${isSerious ? `${level}: ` : ''}${text}\n`
    const last = texts.at(-1)
    if (last?.tone === tone) last.text += line
    else texts.push({ tone, text: line })
  }
  return texts
}

import type { ToolCallView } from '@offthread/core'
import type { ReactNode } from 'react'
import { useLayoutEffect, useRef } from 'react'
import { inPlace } from '../ui/in-place.ts'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { toLogRuns } from './log-text.ts'

const mostLines = 200

/** The last lines a tool wrote. It follows their end until the reader scrolls up. */
export function LogTail({ logs }: { readonly logs: ToolCallView['logs'] }): ReactNode {
  const box = useRef<HTMLElement>(null)
  const following = useRef(true)
  const lines = logs.lines.slice(-mostLines)
  const dropped = logs.dropped + logs.lines.length - lines.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the end.
  useLayoutEffect(() => {
    const { current } = box
    if (current && following.current) current.scrollTop = current.scrollHeight
  }, [logs])
  return (
    <>
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

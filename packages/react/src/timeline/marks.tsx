import type { Mark } from '@offthread/core/log'
import type { ReactNode } from 'react'
import { keyOfMark, markName } from './row-words.ts'
import type { TimeScale } from './time-scale.ts'

interface MarksProps {
  readonly marks: readonly Mark[]
  readonly scale: TimeScale
}

/** The marks of a row, each at its time. */
export function Marks({ marks, scale: { startedAt, from, span } }: MarksProps): ReactNode {
  return marks.map((mark) => (
    <span
      key={keyOfMark(mark)}
      data-part="mark"
      data-mark={mark.kind}
      title={markName(mark, startedAt)}
      style={{
        position: 'absolute',
        insetInlineStart: `${((mark.at - startedAt - from) / span) * 100}%`,
      }}
    />
  ))
}

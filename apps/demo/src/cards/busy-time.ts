import type { ToolCallView } from '@offthread/core'

/** How long calls were at work: that many milliseconds, or as many as have passed since a moment. */
export interface BusyTime {
  readonly ms?: number
  readonly since?: number
}

type Timed = Pick<ToolCallView, 'times'> & { readonly earlier?: readonly Timed[] }

/** How long at least one of the calls was at work. What passed before a retry does not count. */
export function busyTime(calls: readonly Timed[]): BusyTime {
  let ms = 0
  let end = Number.NEGATIVE_INFINITY
  for (const { from, to } of spansOf(calls)) {
    if (to === undefined) return { since: Math.max(from, end) - ms }
    ms += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return { ms }
}

/** When each attempt was at work, in order. */
function spansOf(calls: readonly Timed[]): readonly Span[] {
  const spans: Span[] = []
  let isInOrder = true
  const add = ({ times: { acceptedAt, endedAt } }: Timed): void => {
    if (acceptedAt === undefined) return
    isInOrder &&= acceptedAt >= (spans.at(-1)?.from ?? 0)
    spans.push({ from: acceptedAt, to: endedAt })
  }
  for (const call of calls) {
    for (const attempt of call.earlier ?? []) add(attempt)
    add(call)
  }
  return isInOrder ? spans : spans.sort((a, b) => a.from - b.from)
}

interface Span {
  readonly from: number
  readonly to: number | undefined
}

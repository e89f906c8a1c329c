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

/** When each attempt was at work, in order; what goes on comes last. */
function spansOf(calls: readonly Timed[]) {
  return calls
    .flatMap((call) => [...(call.earlier ?? []), call])
    .flatMap(({ times: { acceptedAt, endedAt } }) =>
      acceptedAt === undefined ? [] : [{ from: acceptedAt, to: endedAt }],
    )
    .sort((a, b) => a.from - b.from)
}

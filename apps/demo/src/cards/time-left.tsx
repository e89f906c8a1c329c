import type { ToolCallView } from '@offthread/core'
import { shareOf } from '@offthread/react/tool-call'
import type { ReactNode } from 'react'
import { useNow } from '../ui/use-now.ts'

/** How much longer a call takes at its pace. Shows nothing until the tool has reported a share. */
export function TimeLeft({
  call: { progress, times, status },
}: {
  readonly call: ToolCallView
}): ReactNode {
  const now = useNow(status === 'running' ? 1000 : null)
  const share = shareOf(progress)
  if (share === undefined || times.runningAt === undefined || status !== 'running') return null
  const left = leftMs(share, now - times.runningAt)
  return left !== undefined && <> · about {roughly(left)} left</>
}

const leastMs = 5000
const leastShare = 0.1

/** Milliseconds left, computed from the share that is done and the time that it took. */
export function leftMs(share: number, afterMs: number): number | undefined {
  if (afterMs < leastMs || share < leastShare || share >= 1) return undefined
  return (afterMs * (1 - share)) / share
}

/** As exact as a guess may look: `4 s`, `35 s`, `3 min`. */
export function roughly(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds <= 10) return `${seconds} s`
  if (seconds <= 60) return `${Math.ceil(seconds / 5) * 5} s`
  return `${Math.ceil(seconds / 60)} min`
}

import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import type { ModelRetry } from '../run-log.ts'

/** Which attempt a failed request waits for, and for how long: `Retrying in 3 s (2/4)`. */
export function RetryWords({ retry }: { readonly retry: ModelRetry }): ReactNode {
  const { attempt, maxAttempts, sentAt } = retry
  const seconds = useSecondsUntil(sentAt)
  return `${seconds > 0 ? `Retrying in ${seconds} s` : 'Retrying now'} (${attempt}/${maxAttempts})`
}

const stepMs = 250

/** Whole seconds until a moment in epoch milliseconds, rounded up; 0 from then on. */
function useSecondsUntil(moment: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(moment))
  useEffect(() => {
    const tick = (): void => setSeconds(secondsUntil(moment))
    tick()
    const timer = setInterval(tick, stepMs)
    return () => clearInterval(timer)
  }, [moment])
  return seconds
}

function secondsUntil(moment: number): number {
  return Math.max(0, Math.ceil((moment - Date.now()) / 1000))
}

import { useEffect, useState } from 'react'

/** The most events that are read in one task: each takes some microseconds. */
const atOnce = 2000

/**
 * How many of `length` events the component has to have read by now. A long log is read part by part, each in a task of
 * its own, so that the page stays free. Another `log` is read from its start.
 */
export function useReading(log: object, length: number): number {
  const [reached, setReached] = useState({ log, to: atOnce })
  const to = reached.log === log ? reached.to : atOnce
  const isBehind = to < length
  useEffect(() => {
    if (!isBehind) return undefined
    const timer = setTimeout(() => setReached({ log, to: to + atOnce }))
    return () => clearTimeout(timer)
  }, [isBehind, log, to])
  return Math.min(length, to)
}

import type { ToolCallView } from '@offthread/core'
import { useElapsed } from '@offthread/react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'

const patienceMs = 5000

/**
 * Says of a call that has reported before that it reports nothing any more, and for how long. Of one that never reports, its
 * clock says enough.
 */
export function QuietNote({ call }: { readonly call: ToolCallView }): ReactNode {
  const since = useQuietSince(call)
  const clock = useElapsed(since)
  if (since === undefined) return null
  return (
    <span className="card-quiet" title="It runs, but has reported nothing since">
      quiet for <span ref={clock} aria-hidden="true" />
    </span>
  )
}

/** The moment of its last report, if that is some time ago. */
function useQuietSince({ status, progress, partial, logs }: ToolCallView): number | undefined {
  const [since, setSince] = useState<number>()
  const report = useMemo(() => {
    const has = progress !== undefined || partial !== undefined || logs.lines.length > 0
    return status === 'running' && has ? { progress, partial, logs } : null
  }, [status, progress, partial, logs])
  useEffect(() => {
    if (!report) return
    const reportedAt = Date.now()
    let isQuiet = false
    const timer = setTimeout(() => {
      isQuiet = true
      setSince(reportedAt)
    }, patienceMs)
    return () => {
      clearTimeout(timer)
      // Not with each report: React takes 50 updates by effects without a pause for an endless loop.
      if (isQuiet) setSince(undefined)
    }
  }, [report])
  return since
}

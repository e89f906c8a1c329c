import type { Replayed } from '@offthread/react/run-panel'
import { useMemo, useState } from 'react'
import type { Session } from '../session.ts'
import type { DemoTool } from '../tools/host-tools.ts'

/** What the page shows: the session, or in a replay what it was at some moment. */
export function useShownSession(session: Session) {
  const [replayed, onReplay] = useState<Replayed<DemoTool> | null>(null)
  const shown = useMemo(
    () => (replayed ? { ...session, agent: replayed.agent, isReplay: true } : session),
    [session, replayed],
  )
  return { shown, replayed, onReplay }
}

import type { Replayed } from '@offthread/react/run-panel'
import { useMemo, useState } from 'react'
import type { Session } from '../session.ts'
import type { DemoTool } from '../tools/host-tools.ts'

/** The commands in a replay: buttons of past answers must not act on the live session. */
const refusing = { isReplay: true, send: () => false, tryAgain: () => {} }

/** What the page shows: the live session, or in a replay an earlier state of it. */
export function useShownSession(session: Session) {
  const [replayed, onReplay] = useState<Replayed<DemoTool> | null>(null)
  const shown = useMemo(
    () => (replayed ? { ...session, ...refusing, agent: replayed.agent } : session),
    [session, replayed],
  )
  return { shown, replayed, onReplay }
}

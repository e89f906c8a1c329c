import type { Replayed } from '@offthread/react/run-panel'
import { useMemo, useState } from 'react'
import type { Session } from '../session.ts'
import type { DemoTool } from '../tools/host-tools.ts'

/** What was offered then, such as a question to ask, would be done now. */
const refusing = { isReplay: true, send: () => false, tryAgain: () => {} }

/** What the page shows: the session, or in a replay what it was at some moment. */
export function useShownSession(session: Session) {
  const [replayed, onReplay] = useState<Replayed<DemoTool> | null>(null)
  const shown = useMemo(
    () => (replayed ? { ...session, ...refusing, agent: replayed.agent } : session),
    [session, replayed],
  )
  return { shown, replayed, onReplay }
}

import type { Replayed } from '@offthread/react/run-panel'
import type { ReactNode } from 'react'
import type { Panel } from '../run-panel/use-panel.ts'
import type { Session } from '../session.ts'
import type { DemoTool } from '../tools/host-tools.ts'

/** What keys and commands act on. */
export interface PageParts {
  /** The live one, also in a replay. */
  readonly session: Session
  readonly panel: Panel
  /** The replay that is shown. */
  readonly replayed: Replayed<DemoTool> | null
  /** Says something above the composer. */
  readonly say: (notice: ReactNode) => void
}

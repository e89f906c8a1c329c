import type { Judge } from './judge.ts'
import type { ActionPlan, Deed } from './plan.ts'
import type { Page } from './world/page.ts'
import type { World } from './world/world.ts'

/** A session that is being played. */
export interface Session {
  readonly world: World
  readonly judge: Judge
  readonly waiting: Promised[]
  /** Earlier pages that were disposed: no work of them may continue. */
  readonly disposed: Page[]
  /** What the user has answered: an approval, a call, or a run that waits for answers. */
  readonly helped: Set<string>
  /** Does an action inside a listener, while an event is delivered. */
  readonly callBack: (deed: Deed) => void
  page: Page
  step: number
  /** The actions that the user still has to do, each with its time. */
  actions: ActionPlan[]
}

/** A promise of the agent, which has to settle. */
export interface Promised {
  readonly what: string
  settled: boolean
}

import type { Judge } from './judge.ts'
import type { ActionPlan, Deed } from './plan.ts'
import type { Page } from './world/page.ts'
import type { World } from './world/world.ts'

/** A session that is being played. */
export interface Session {
  readonly world: World
  readonly judge: Judge
  readonly waiting: Promised[]
  /** Earlier pages that were left in order: nothing of them may go on. */
  readonly disposed: Page[]
  /** What the user has answered: an approval, a call, an end for want of answers. */
  readonly helped: Set<string>
  /** Does a deed from within a listener, while an event is delivered. */
  readonly callBack: (deed: Deed) => void
  page: Page
  step: number
  /** What the user still has to do, by when. */
  actions: ActionPlan[]
}

/** A promise that the agent gave. */
export interface Promised {
  readonly what: string
  settled: boolean
}

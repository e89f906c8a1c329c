import type { AgentEvent } from '../packages/core/src/kernel/events.ts'
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
  /** Shows an event to the rules. */
  readonly see: (event: AgentEvent) => void
  /** Keeps a promise of an agent to check that it settles. */
  readonly promise: (what: string, given: Promise<unknown>, page?: Page) => Promised
  /** What users have said, each text once, with the page where it was. */
  readonly said: Map<string, Page>
  /** The prompts of these that the agent has refused. */
  readonly refused: Set<string>
  /** All pages that are open. */
  readonly pages: Page[]
  /** The page whose events the rules see: the last one that opened the log. */
  writer: Page | null
  /** The writer while it is open, else the first one that is. */
  readonly page: Page
  step: number
  /** The actions that the user still has to do, each with its time. */
  actions: ActionPlan[]
}

/** A promise of the agent, which has to settle. */
export interface Promised {
  readonly what: string
  readonly page: Page
  settled: boolean
}

import { parentPort, workerData } from 'node:worker_threads'
import { modes } from '../modes/modes.ts'
import type { Plan } from '../plan.ts'
import type { play } from '../play.ts'
import { simulate } from '../simulate.ts'
import { keepUncaught } from '../uncaught.ts'

/** What a thread is given: for how many runs to hunt, and the bundle of the agent without the fault. */
interface Hunt {
  readonly runs: number
  readonly seed: number
  readonly healthy: string
  readonly mode?: string
}

/**
 * Looks for a plan that breaks a rule in the patched agent that this is bundled with, but not in the healthy one:
 * a plan that breaks both proves nothing.
 */
async function hunt({ runs, seed, healthy, mode = '' }: Hunt): Promise<object> {
  const { play: playHealthy } = (await import(healthy)) as { play: typeof play }
  const excuse = async (plan: Plan): Promise<boolean> => (await playHealthy(plan)).broken.length > 0
  const playOne = modes[mode]
  const how = { runs, seed, hurry: true, excuse, ...(playOne && { playOne }) }
  const { failure, runs: played } = await simulate(how)
  return { found: failure !== null, after: failure?.after ?? played, rule: failure?.broken[0] }
}

keepUncaught()
parentPort?.postMessage(await hunt(workerData as Hunt))

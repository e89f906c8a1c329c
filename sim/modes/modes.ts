import { talkKinds } from '../../packages/core/src/tools/fixtures/talk.fixtures.ts'
import { playDevices } from '../devices.ts'
import type { BrokenRule } from '../judge.ts'
import { playOffline } from '../offline.ts'
import type { ActionPlan, AnswerPlan, OutputPlan, PartPlan, Plan } from '../plan.ts'
import { retries } from '../plans/retries.ts'
import { type Played, play } from '../play.ts'
import { crashEverywhere } from './crash.ts'
import { refolding } from './refolding.ts'
import { scriptWith, spoilings } from './scripts.ts'
import { withSnapshots } from './snapshots.ts'

/** A way to play a plan with more checks. A rule that is broken in this mode counts as broken in the plan. */
export type Mode = (plan: Plan) => Promise<Played>

/** Every mode of `--mode`, by its name. */
export const modes: { readonly [name: string]: Mode } = {
  /** After every event the state is rebuilt from the serialised log: the same log, byte for byte. */
  refold: async (planned) => {
    // A schema with a function of its own is found by the request object in the state. A rebuilt state has another
    // object, and only its JSON: then the page checks an output once more, with a timer, which changes the order of others.
    const output: OutputPlan | undefined = planned.output && { ...planned.output, schema: 'json' }
    const plan = onOnePage({ ...planned, ...(output && { output }) })
    try {
      refolding.of = output ? 'event' : 'none'
      const usual = await play(plan)
      refolding.of = 'state'
      return withDifference('I6', usual, await play(plan))
    } finally {
      refolding.of = 'none'
    }
  },
  /** The same plan twice: the same log, byte for byte. */
  again: async (plan) => withDifference('I35', await play(plan), await play(plan)),
  /** Without the listeners and readers that only listen: the same log, byte for byte. */
  unheard: async (plan) => {
    const audience = plan.audience?.filter(({ does }) => does === 'calls_back') ?? []
    return withDifference('I30', await play(plan), await play({ ...plan, audience }))
  },
  /** Each message of a worker comes twice: the durable log does not change. */
  twice: async (planned) => {
    const plan = inFewWords(onOnePage(planned))
    const usual = await play(plan)
    const twice = await play(plan, { everyMessageTwice: true })
    return withDifference('I34', durableOnly(usual), durableOnly(twice))
  },
  /** Every event is stored by itself. */
  single: (plan) => play(plan, { oneEventPerAppend: true }),
  /** The page has its turn wherever it may have it. */
  turns: (plan) => play(plan, { shortTurns: true }),
  /** The user stops the run before every step. */
  abort: (plan) => atEveryStep(plan, { do: 'abort' }),
  /** A script, with every pair of faults. The plan gives its options. */
  pairs: async (plan) => {
    const usual = await play(plan)
    const failures = await playPairs(scriptWith(plan.options))
    return { ...usual, broken: failures.map((why) => ({ rule: 'pairs', why })) }
  },
  /** The user has calls run once more, over and over. */
  retries: (plan) => play({ ...plan, actions: [...plan.actions, ...retries] }),
  /** The page goes away after every durable event, and a new page continues with what is stored. */
  crash: crashEverywhere,
  /** Devices that share a session at a server, in place of what the plan says of its pages. */
  devices: async ({ seed }) => {
    const { log, ...played } = await playDevices(seed)
    return { ...played, log, disk: () => log }
  },
  /** Devices that go on without their server, in place of what the plan says of its pages. */
  offline: async ({ seed }) => {
    const { log, kept: _, ...played } = await playOffline(seed)
    return { ...played, log, disk: () => log }
  },
  /** What is stored is opened with snapshots: those that fit, and those that do not. */
  snapshots: withSnapshots,
}

/** Which pairs are played: one of every `step`, from `from` on. */
export interface Sample {
  readonly step: number
  readonly from: number
}

/**
 * Plays a script with every pair of its faults, or with a sample of the pairs. Returns the pairs that broke a rule.
 */
export async function playPairs(
  script: Plan,
  { step, from }: Sample = { step: 1, from: 0 },
): Promise<readonly string[]> {
  const failures: string[] = []
  let count = from
  for (const [index, first] of spoilings.entries()) {
    for (const second of spoilings.slice(index)) {
      count += 1
      if (count % step !== 0) continue
      const { broken } = await play(second.spoil(first.spoil(script)))
      for (const { rule, why } of broken) {
        failures.push(`${first.what} and ${second.what}: ${rule} ${why}`)
      }
    }
  }
  return failures
}

/** Plays a plan once, and then again for each of its steps, with the action done at that step. */
async function atEveryStep(plan: Plan, what: { readonly do: 'abort' }): Promise<Played> {
  const usual = await play(plan)
  for (let step = 0; step <= usual.steps; step += 1) {
    if (usual.broken.length > 0) break
    const action: ActionPlan = { at: { step }, ...what }
    const played = await play({ ...plan, actions: [...plan.actions, action] })
    if (played.broken.length > 0) return { ...played, broken: at(`step ${step}`, played.broken) }
  }
  return usual
}

/** Of several pages each has a log of its own until that is stored, and what each says first changes the others'. */
function onOnePage({ pages: _, ...plan }: Plan): Plan {
  return plan
}

/** The page acknowledges each message, also one that came twice: what a call says must need no credit. */
function inFewWords({ sub, ...plan }: Plan): Plan {
  const brief = (answers: readonly AnswerPlan[]): readonly AnswerPlan[] =>
    answers.map((answer) => ({ ...answer, parts: answer.parts.map(briefly) }))
  const { answers = [], deeper = [] } = sub ?? {}
  return {
    ...{ ...plan, answers: brief(plan.answers) },
    ...(sub && { sub: { ...sub, answers: brief(answers), deeper: brief(deeper) } }),
  }
}

function briefly(part: PartPlan): PartPlan {
  if (!('call' in part) || (!part.says && part.does !== 'reports')) return part
  const says = part.says?.slice(0, 2).map((step) => ({ ...step, times: 1 }))
  return { ...part, says: says ?? [{ say: talkKinds, times: 1, afterMs: 0 }] }
}

/** The broken rules, with the place of the action in their text. */
function at(place: string, broken: readonly BrokenRule[]): readonly BrokenRule[] {
  return broken.map(({ rule, why }) => ({ rule, why: `${why} (${place})` }))
}

function durableOnly(played: Played): Played {
  const log = played.log.flatMap((event) => {
    if (event.sub !== undefined) return []
    // A line that is logged twice is in the log twice.
    if (event.type !== 'tool_execution_end') return event
    const { logs: _, ...rest } = event
    return rest
  })
  return { ...played, log }
}

function withDifference(rule: string, usual: Played, other: Played): Played {
  const broken = [...usual.broken, ...other.broken]
  if (broken.length > 0) return { ...other, broken }
  const length = Math.max(usual.log.length, other.log.length)
  for (let index = 0; index < length; index += 1) {
    const was = JSON.stringify(usual.log[index])
    const is = JSON.stringify(other.log[index])
    if (was !== is)
      return { ...other, broken: [{ rule, why: `event ${index}: ${was} became ${is}` }] }
  }
  return other
}

/**
 * The rules I1 to I38 of SPEC.md, checked while a session happens. They read events and reports of what
 * happened around the log, not states and decisions: `fold` and `transcript` are called only to be tested.
 *
 * ```ts
 * const rules = createRules({ maxConcurrency: 4, judges: strictJudges, tools: { slow: { timeoutMs: 100 } } })
 * agent.subscribe(rules.see)                     // every event, the first `session_opened` included
 * rules.world.requested({ messages })            // the model adapter is asked
 * rules.world.posted({ toolCallId, attempt, executionId, durable })   // a call is handed to its code
 * rules.world.affected({ toolCallId, attempt })  // its code had its side effect
 * rules.world.replied({ toolCallId, executionId, genuine, kind, text })   // genuine and forged messages
 * rules.world.hooked({ name, phase, toolCallId })    // asked, then answered | blocked | failed, or nothing
 * rules.world.queued({ type: 'queued', queue: 'steering', content })  // steer, followUp, takeQueued, clearQueues
 * rules.world.workers({ alive, allowed })        // whenever one is made
 * rules.world.still({ freeSlots, starting, busy, status })   // before the virtual clock moves
 * rules.reload(await storage.load(id), { acknowledged })   // the page is gone; before the new one writes
 * rules.rest({ timers, workers, listeners })     // the session is at rest; at most once, last
 * expect(rules.broken).toEqual([])
 * ```
 *
 * What is not reported is not checked: a log alone is judged by `see` and `rest`. Where a hook is named in the
 * options, each of its calls has to be reported. `see` freezes the events. Times come from `ts`, so the agent needs
 * the virtual clock. A call of `see` costs the same at any length of the log, except for judging the transcript
 * (`judgeEvery`) and comparing states at the end of a run.
 */

import { type AgentEvent, type DurableEvent, isDurable } from '../src/kernel/events.ts'
import {
  bookOf,
  type Check,
  createMemory,
  createSession,
  type Memory,
  type Session,
} from './book.ts'
import { createCallRules } from './calls.ts'
import { createLogRules } from './log.ts'
import { createMessageRules, isSame } from './messages.ts'
import { type RuleOptions, type Setup, setupOf } from './options.ts'
import { createOutputRules } from './outputs.ts'
import { createRunRules } from './runs.ts'
import { createTranscriptRules } from './transcript.ts'
import { createWorldRules, type Leftovers, type WorldRules } from './world.ts'

export { type RuleOptions, type ToolRule, toolRuleOf } from './options.ts'
export type { WorldRules } from './world.ts'

export interface Rules {
  readonly see: (event: AgentEvent) => void
  readonly world: WorldRules
  /**
   * The log was opened again, and `stored` is what the storage had kept. Ephemeral and lost events are forgotten.
   * `acknowledged`: how many events the storage has confirmed. At least those are still there; without it, those
   * that were there when the log was last opened.
   */
  readonly reload: (
    durable: readonly DurableEvent[],
    options?: { readonly acknowledged?: number },
  ) => void
  /** The session is at rest. `stopped`: the storage failed for good, so runs stay open. */
  readonly rest: (leftovers?: Leftovers, options?: { readonly stopped?: boolean }) => void
  /** The rules broken so far, each as `I9 at 17 tool_dispatched: why`. */
  readonly broken: readonly string[]
}

export function createRules(options: RuleOptions = {}): Rules {
  const setup = setupOf(options)
  const broken: string[] = []
  const memory = createMemory()
  let place = 'the start'
  let muted = false
  let safe = 0
  const check: Check = (rule, holds, why) => {
    if (!holds && !muted) broken.push(`${rule} at ${place}: ${why}`)
  }
  let walk = createWalk({ setup, check, memory })

  function see(event: AgentEvent): void {
    place = `${event.seq}${event.sub === undefined ? '' : `.${event.sub}`} ${event.type}`
    walk.see(event)
  }

  return {
    broken,
    see,
    world: forwarded(() => walk.world),
    reload: (durable, { acknowledged = safe } = {}) => {
      place = 'the reload'
      const isRedacted = durable.some(({ type }) => type === 'message_redacted')
      for (const [index, before] of walk.durable.slice(0, acknowledged).entries()) {
        const now = durable[index]
        const isKept = isSame(before, now) || (isRedacted && before.type === now?.type)
        check('I29', isKept, `event ${index} is not what it was`)
      }
      safe = durable.length
      muted = true
      walk = createWalk({ setup, check, memory })
      for (const event of durable) see(event)
      for (const { steering, followUp } of setup.isShared ? [] : walk.session.books.values()) {
        steering.asked = [...steering.waiting]
        followUp.asked = [...followUp.waiting]
      }
      muted = false
    },
    rest: (leftovers = {}, { stopped = false } = {}) => {
      place = 'the end'
      walk.rest(leftovers, stopped)
    },
  }
}

interface WalkOptions {
  readonly setup: Setup
  readonly check: Check
  readonly memory: Memory
}

interface Walk {
  readonly session: Session
  readonly durable: readonly DurableEvent[]
  readonly world: WorldRules
  readonly see: (event: AgentEvent) => void
  readonly rest: (leftovers: Leftovers, stopped: boolean) => void
}

function createWalk({ setup, check, memory }: WalkOptions): Walk {
  const session = createSession(setup, check, memory)
  const durable: DurableEvent[] = []
  const log = createLogRules(session)
  const runs = createRunRules(session)
  const outputs = createOutputRules(session)
  const messages = createMessageRules(session)
  const calls = createCallRules(session)
  const conversation = createTranscriptRules(session)
  const world = createWorldRules(session)
  return {
    session,
    durable,
    world,
    see: (event) => {
      const book = bookOf(session, event.agentId ?? '')
      if (isDurable(event)) durable.push(event)
      log.see(event)
      runs.see(event, book)
      outputs.see(event, book)
      messages.see(event, book)
      calls.see(event, book)
      conversation.see(event, book)
    },
    rest: (leftovers, stopped) => {
      for (const { run, open, batch } of stopped ? [] : session.books.values()) {
        check('I2', run === null, 'a run is open')
        check('I4', open === null, 'a message is open')
        check('I7', batch === null || batch.carried, 'calls have no result')
      }
      conversation.rest()
      world.rest(leftovers)
    },
  }
}

// After a reload `world` is another object; this one forwards, so that callers can keep what they were given.
function forwarded(current: () => WorldRules): WorldRules {
  return {
    requested: (request) => current().requested(request),
    posted: (post) => current().posted(post),
    affected: (effect) => current().affected(effect),
    checked: (answer) => current().checked(answer),
    replied: (reply) => current().replied(reply),
    hooked: (hook) => current().hooked(hook),
    queued: (action) => current().queued(action),
    workers: (workers) => current().workers(workers),
    still: (stillness) => current().still(stillness),
    rest: (leftovers) => current().rest(leftovers),
  }
}

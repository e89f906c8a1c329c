import { type Agent, createAgentIn } from '../agent/create-agent.ts'
import type { AgentEnvironment, AgentOptions, ToolHosts } from '../agent/options.ts'
import { pageTurns } from '../internal/environment.ts'
import { nextTask } from '../internal/next-task.ts'
import { portableSha256 } from '../internal/portable-sha256.ts'
import type { AgentEvent, DurableEvent, EventOf } from '../kernel/events.ts'
import type { SessionStorage } from '../storage/port.ts'
import type { Tool } from '../tools/definition.ts'
import type { ToolsOf } from '../tools/tool-types.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'
import { settled } from './settled.ts'

/** An agent whose time a test moves, with its events. */
export interface TestAgent<T extends Tool = Tool> {
  readonly agent: Agent<T>
  readonly clock: FakeClock
  /** Every event so far, in order. */
  readonly events: readonly AgentEvent[]
  /** The events of one type. */
  readonly eventsOf: <Type extends AgentEvent['type']>(type: Type) => readonly EventOf<Type>[]
  /** Resolves when everything has happened that can happen without time passing. */
  readonly settled: () => Promise<void>
  /**
   * Lets time pass, in steps of `stepMs` (default 10), until the promise is settled. Rejects when no timer is left that it
   * could wait for.
   */
  readonly passTime: <Value>(promise: Promise<Value>, stepMs?: number) => Promise<Value>
}

/**
 * Makes an agent for a unit test: its clock stands still, its ids are counted (`run_1`, `call_1`), its chance is
 * always one half, and what it shows is published at once. Two runs of a test give the same events. Give the clock
 * to the tools' host, too. To play a reload, `dispose()` the agent and make another one with the same `storage` and
 * `sessionId`: the counts go on where the stored session ends. Throws where the environment of the test has no
 * `structuredClone` or no `TextEncoder`, such as the jsdom of Jest.
 *
 * @example
 * ```ts
 * const { agent, eventsOf } = testAgent({ model: scriptedModel([say('Hello.')]) })
 * expect(await agent.prompt('Hi.')).toMatchObject({ reason: 'stop', text: 'Hello.' })
 * expect(eventsOf('agent_end')).toHaveLength(1)
 * ```
 */
export function testAgent<const Hosts extends ToolHosts = ToolHosts>(
  options: AgentOptions<Hosts>,
  settings?: { readonly clock?: FakeClock },
): TestAgent<ToolsOf<Hosts>>
export function testAgent(
  options: AgentOptions,
  settings: { readonly clock?: FakeClock } = {},
): TestAgent {
  checkGlobals()
  checkClock(options, settings)
  const { clock = fakeClock() } = settings
  const session = options.storage && sessionIn(options.storage, options.sessionId)
  const { newId } = session?.ids ?? countedIds()
  const agent = createAgentIn({ ...options, ...session?.kept }, environmentOf(clock, newId))
  const events: AgentEvent[] = []
  agent.subscribe((event) => events.push(event))
  return {
    agent,
    clock,
    events,
    eventsOf: (type) =>
      events.filter((event): event is EventOf<typeof type> => event.type === type),
    settled,
    passTime: (promise, stepMs = 10) => passTime(clock, promise, stepMs),
  }
}

function checkGlobals(): void {
  const missing = ['structuredClone', 'TextEncoder'].filter(
    (name) => Reflect.get(globalThis, name) === undefined,
  )
  if (missing.length === 0) return
  throw new Error(
    `This test environment has no ${missing.join(' and no ')}. Add it, as docs/testing.md shows for the jsdom of Jest.`,
  )
}

/**
 * Throws for a clock in the wrong place. Types do not reach tests in plain JavaScript, where an agent on a clock that
 * never moves would never end.
 */
function checkClock(options: unknown, settings: object): void {
  if (options === undefined)
    throw new TypeError('testAgent takes the options of an agent: testAgent({ model, tools }).')
  const isMisplaced = typeof options === 'object' && options !== null && 'clock' in options
  const isUnnamed = Object.keys(settings).some((name) => name !== 'clock')
  if (isMisplaced || isUnnamed) {
    throw new TypeError(
      'The clock stands in an object of its own: testAgent({ model, … }, { clock }).',
    )
  }
}

const idsOfSessions = new WeakMap<SessionStorage, Map<string, CountedIds>>()

/** Agents that have one session open share their counts, because no page may give an id that another one has given. */
function sessionIn(storage: SessionStorage, given: string | undefined) {
  const ofStorage = idsOfSessions.get(storage) ?? new Map<string, CountedIds>()
  const sessionId = given ?? newSessionId(ofStorage)
  const ids = ofStorage.get(sessionId) ?? countedIds()
  idsOfSessions.set(storage, ofStorage.set(sessionId, ids))
  return { ids, kept: { storage: notingStorage(storage, ids.noteIds), sessionId } }
}

function newSessionId(taken: ReadonlyMap<string, CountedIds>): string {
  const ids = countedIds()
  for (;;) {
    const sessionId = ids.newId('session')
    if (!taken.has(sessionId)) return sessionId
  }
}

type CountedIds = ReturnType<typeof countedIds>

function countedIds() {
  const counts = new Map<string, number>()
  return {
    newId: (prefix: string): string => {
      const count = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, count)
      return `${prefix}_${count}`
    },
    /** Counts on from the highest ids in a stored session, whose ids must not be given again. */
    noteIds: (stored: readonly DurableEvent[]): void => {
      for (const [, prefix = '', count] of JSON.stringify(stored).matchAll(
        /"([a-z]+)_(\d{1,9})"/g,
      )) {
        counts.set(prefix, Math.max(counts.get(prefix) ?? 0, Number(count)))
      }
    },
  }
}

function notingStorage(
  storage: SessionStorage,
  note: (stored: readonly DurableEvent[]) => void,
): SessionStorage {
  const noted = new Set<string>()
  const read: SessionStorage['read'] = async (sessionId, ...range) => {
    // With a snapshot an agent reads only the last events, but the ids of all are taken.
    if (!noted.has(sessionId)) note(await storage.read(sessionId))
    noted.add(sessionId)
    const stored = await storage.read(sessionId, ...range)
    note(stored)
    return stored
  }
  // A proxy and no copy, because the methods of a class are not among the fields of its objects.
  return new Proxy(storage, {
    get: (own, name): unknown => {
      const value: unknown = name === 'read' ? read : Reflect.get(own, name)
      if (typeof value !== 'function') return value
      const method: unknown = value.bind(own)
      return method
    },
  })
}

function environmentOf(clock: FakeClock, newId: AgentEnvironment['newId']): AgentEnvironment {
  return {
    clock,
    newId,
    random: () => 0.5,
    sha256: async (text) => portableSha256(text),
    turns: pageTurns,
    schedule: {
      soon: (callback) => queueMicrotask(callback),
      nextFrame: (callback) => {
        queueMicrotask(callback)
        return () => {}
      },
    },
  }
}

/** After this many steps a test has failed. */
const mostSteps = 10_000
/**
 * After this many steps without a timer a test has failed, too. Some waits need no time, such as for a module to load.
 */
const mostIdleSteps = 500

async function passTime<Value>(
  clock: FakeClock,
  promise: Promise<Value>,
  stepMs: number,
): Promise<Value> {
  let isDone = false
  const done = promise.finally(() => {
    isDone = true
  })
  // The rejection is handled here, too: it may come before the loop awaits it.
  done.catch(() => {})
  // What an agent imports takes no time of its clock.
  await settled()
  let idleSteps = 0
  for (let steps = 0; steps < mostSteps && idleSteps < mostIdleSteps; steps += 1) {
    await nextTask()
    if (isDone) return done
    idleSteps = clock.pending() === 0 ? idleSteps + 1 : 0
    clock.advance(stepMs)
  }
  const waits =
    'It waits for another clock, or for something that the test has to do: a worker that answers, an approval.'
  throw new Error(
    idleSteps < mostIdleSteps
      ? `Nothing came of it in ${(mostSteps * stepMs) / 1000} s. ${waits}`
      : `Nothing comes of it: no timer is left on this clock. ${waits}`,
  )
}

/**
 * Plays one plan against the real agent in a world without real time: `createAgentIn` over a fake model, fake
 * workers, a fake storage, a virtual clock and counted ids. The same plan always gives the same log.
 *
 * One step of the scheduler: everything happens that can happen without time passing (all microtasks), the
 * user does what is due, then the clock moves to the next timer. When there is none, the agent must be at rest or
 * wait for an answer of the user; then the user does the next action that was planned for a rest.
 */

// An agent with a storage loads this late, which takes real time. There is none in a simulation.
import '../packages/core/src/agent/session/stored-session.ts'
import type { Stillness } from '../packages/core/rules/world.ts'
import { callPart } from '../packages/core/src/agent/late-calls.ts'
import { outputPart } from '../packages/core/src/agent/late-output.ts'
import type { AgentEvent, DurableEvent } from '../packages/core/src/kernel/events.ts'
import { type BrokenRule, createJudge, type Judge, lastSeq } from './judge.ts'
import { judgeFiles } from './judge-files.ts'
import { judgeFollowers, judgePages } from './judge-pages.ts'
import { problemOfResult } from './output-rule.ts'
import { actOnPages, isWriting, openBeside, pageOf } from './pages.ts'
import { type ActionPlan, type Deed, isDeed, type Plan, type ReloadKind } from './plan.ts'
import { conclude, hasStorageFailed, judgeIdleness, judgeRest } from './rest.ts'
import type { Promised, Session } from './session.ts'
import { takeUncaught } from './uncaught.ts'
import { isMisuse, watchPromise } from './watch-promise.ts'
import { createDesk } from './world/desk.ts'
import { type Injections, noteInjection } from './world/injections.ts'
import { openPage, type Page } from './world/page.ts'
import { afterlifeMs, allowedWorkers } from './world/page-ports.ts'
import type { Scope } from './world/timeline.ts'
import { act, isDue } from './world/user.ts'
import { createWorld, type PlayMode, type World } from './world/world.ts'

/** The result of playing a plan. */
export interface Played {
  readonly log: readonly AgentEvent[]
  /** What was stored in the end. */
  readonly disk: () => readonly DurableEvent[]
  readonly broken: readonly BrokenRule[]
  readonly steps: number
  readonly injections: Injections
}

/** No plan needs as many steps. */
const maxSteps = 20_000

/** Plays a plan to its end, and stops at the first step after which a rule is broken. */
export async function play(plan: Plan, mode: PlayMode = {}): Promise<Played> {
  await latePartsLoaded()
  const world = createWorld(plan, mode)
  const judge = createJudge(plan)
  const session = createSession(world, judge)
  if (plan.pages) openBeside(session)
  else openAlone(session)
  scheduleTimed(session)
  if (!mode.from) perform(session, { at: 'rest', do: 'prompt', text: 'Go.' })
  while (judge.found().length === 0) {
    await settled()
    if (session.step++ > maxSteps) {
      judge.broken('I20', 'it never comes to rest')
      break
    }
    if (performDue(session)) continue
    if (isWriting(session)) {
      judge.rules.world.still(stillnessOf(session))
      judgeIdleness(session)
    }
    const isNow = world.timeline.nextAt() === world.timeline.now()
    // Before the clock moves, every rejection must have been handled.
    if (!isNow) await turned()
    judgeUncaught(judge)
    if (plan.pages) judgeFollowers(session)
    if (world.timeline.next()) continue
    if (!actAtRest(session) && !help(session) && !conclude(session)) break
  }
  if (judge.found().length === 0) judgeRest(session)
  if (plan.pages && judge.found().length === 0) judgePages(session)
  if (judge.found().length === 0) await judgeFiles(session)
  for (const page of session.pages) page.vanish()
  judgeUncaught(judge)
  const { log, injections, disk } = world
  return { log, disk: disk.events, broken: judge.found(), steps: session.step, injections }
}

function judgeUncaught(judge: Judge): void {
  const thrown = takeUncaught()
  if (thrown !== null) judge.broken('uncaught', thrown)
}

function stillnessOf(session: Session): Stillness {
  const { page, world } = session
  // What workers have said waits for its turn, one piece in a task.
  const isBehind = page.clock.pending().includes(0)
  const dying = page.clock.pending().filter((ms) => ms === afterlifeMs).length
  const taken = page.workers.live() + dying + world.desk.pageCalls()
  const freeSlots = allowedWorkers(world.plan) - taken
  return {
    freeSlots,
    starting: page.workers.starting(),
    // An agent whose storage failed does nothing any more.
    status: world.status(),
    busy: page.connection?.isBusy() === true || isBehind || hasStorageFailed(session),
  }
}

/** Everything has happened that can happen without time passing: no promise has a callback left to run. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

/** Importing these parts must not take longer in the first plan than in the others. */
function latePartsLoaded(): Promise<unknown> {
  return Promise.all([
    import('../packages/core/src/agent/session/stored-session.ts'),
    ...[callPart, outputPart].map((part) => part.load()),
  ])
}

/** One turn of the event loop: by then Node has reported every rejection that has no handler. */
function turned(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Judges what arrived of a call. That is only possible where the page passes on each event, and once. */
function judgeHearing({ world, judge }: Pick<Session, 'world' | 'judge'>, event: AgentEvent): void {
  if (world.plan.options.toolEvents === false || world.mode.everyMessageTwice) return
  const problem = world.hearing.see(event)
  if (problem !== null) judge.broken('I39', problem)
}

/** Opens the only page. */
function openAlone(session: Session, acknowledged = 0): void {
  const { world, judge, callBack, see } = session
  const stored = world.disk.events()
  world.desk = createDesk(stored)
  judge.reload(stored, acknowledged)
  const page = openPage(world, { event: see, world: judge.rules.world, act: callBack })
  session.pages.splice(0, 1, page)
  session.writer = page
}

/** The page goes away, and a new one opens what was stored. If nothing is stored, the page stays. */
function reload(session: Session, how: ReloadKind): boolean {
  const { page, waiting } = session
  if (!page.connection) return false
  // A page that is disposed before its last events are stored loses them like a crashed one. One that still opens would
  // take the session for a moment from the next, which then follows: that is judged with several pages.
  const isOpening = page.agent.getState().storage === 'opening'
  const isOrderly = how === 'disposed' && !page.connection.isBusy() && !isOpening
  if (how === 'disposed') session.promise('dispose', page.dispose(), page)
  if (isOrderly) session.disposed.push(page)
  // The promises of a page that is gone need not settle.
  else for (const promised of waiting) promised.settled = true
  if (how === 'hidden') page.hide(false)
  else if (how !== 'crash_losing') page.connection.flush()
  if (!isOrderly) page.vanish()
  openAlone(session, page.connection.acknowledged())
  return true
}

function scheduleTimed(session: Session): void {
  const always: Scope = { gone: false }
  for (const action of session.actions) {
    if (action.at === 'rest' || !('ms' in action.at)) continue
    session.world.timeline.after(action.at.ms, () => perform(session, action), always)
  }
  session.actions = session.actions.filter(({ at }) => at === 'rest' || !('ms' in at))
}

function performDue(session: Session): boolean {
  const now = { seq: lastSeq(session.world.log), step: session.step }
  const due = session.actions.filter(({ at }) => isDue(at, now))
  if (due.length === 0) return false
  session.actions = session.actions.filter((action) => !due.includes(action))
  for (const action of due) perform(session, action)
  return true
}

function actAtRest(session: Session): boolean {
  const next = session.actions.find(({ at }) => at === 'rest')
  if (!next) return false
  session.actions = session.actions.filter((action) => action !== next)
  perform(session, next)
  return true
}

/** The user gives each answer that the agent waits for, once. Returns whether there was one to give. */
function help(session: Session): boolean {
  const { world, helped } = session
  const { desk, plan } = world
  if (plan.leaves || desk.run() === 'aborting' || hasStorageFailed(session)) return false
  const [approval] = desk.approvals().filter(({ argsDigest }) => !helped.has(argsDigest))
  if (approval) {
    helped.add(approval.argsDigest)
    const what = helped.size % 4 === 0 ? 'deny' : 'approve'
    perform(session, { at: 'rest', do: what, pick: desk.approvals().indexOf(approval) })
    return true
  }
  const end = desk.awaiting()
  if (end === null || desk.run() !== 'none') return false
  const open = desk.openCalls()
  const pick = open.findIndex((toolCallId) => !helped.has(toolCallId))
  const isLast = pick < 0
  const key = isLast ? `end ${end}` : (open[pick] ?? '')
  if (helped.has(key)) return false
  helped.add(key)
  // In manual mode only the user continues the run.
  if (isLast) perform(session, { at: 'rest', do: 'continue' })
  else perform(session, { at: 'rest', do: 'answer_call', pick, isError: helped.size % 3 === 0 })
  return true
}

function perform(session: Session, action: ActionPlan): void {
  const { world, judge } = session
  const scope: Scope = { gone: false }
  const status = world.status()
  if (!isDeed(action)) {
    const isDone = world.plan.pages
      ? actOnPages(session, action)
      : action.do === 'reload' && reload(session, action.how)
    if (isDone) noteInjection(world.injections, `user_${action.do}`, status)
    return
  }
  // With one page, the rules know all that was said, but not that a part of it was removed.
  if (action.do === 'redact' && !world.plan.pages) return
  const page = pageOf(session, action)
  const deed = withOwnText(session, action, page)
  const done = act(deed, {
    agent: page.agent,
    desk: world.desk,
    after: (ms, callback) => void world.timeline.after(ms, callback, scope),
    queued: (queued) => {
      if (!world.plan.pages) judge.rules.world.queued(queued)
    },
    thrown: (what, error) => {
      if (!isMisuse(error)) judge.broken('misuse', `${what} threw ${String(error)}`)
    },
    expect: (what, given) => {
      session.promise(what, given, page)
      if ('text' in deed) given.catch((error: unknown) => noteRefused(session, deed.text, error))
    },
    asks: page.asks,
    answered: (result) => {
      const problem = problemOfResult(result)
      if (problem !== null) judge.broken('O1', problem)
    },
  })
  if (done) noteInjection(world.injections, `user_${action.do}`, status)
}

function createSession(world: World, judge: Judge): Session {
  const pages: Page[] = []
  const waiting: Promised[] = []
  const session: Session = {
    ...{ world, judge, waiting, pages, writer: null, step: 0 },
    ...{ disposed: [], helped: new Set(), said: new Map(), refused: new Set() },
    actions: [...world.plan.actions],
    callBack: (deed) => perform(session, deed),
    see: (event) => {
      world.log.push(event)
      world.desk.see(event)
      judge.event(event)
      judgeHearing(session, event)
    },
    get page() {
      const { writer } = session
      const page = writer && pages.includes(writer) ? writer : pages[0]
      if (!page) throw new Error('There is no page.')
      return page
    },
    promise: (what, given, page = session.page) => {
      const promised: Promised = { what, page, settled: false }
      waiting.push(promised)
      watchPromise(judge, promised, given)
      return promised
    },
  }
  world.status = () => session.page.status()
  world.disk.watchDeletions(() => {
    // Nothing that is done to the deleted session belongs to the session any more.
    session.writer = null
    world.desk = createDesk()
  })
  return session
}

function noteRefused({ refused }: Session, text: string, error: unknown): void {
  if (error instanceof Error && error.name === 'AgentBusyError') refused.add(text)
}

/** On several pages each text is another one, so that it can be found again. */
function withOwnText({ world, said }: Session, deed: Deed, page: Page): Deed {
  if (!world.plan.pages || !('text' in deed)) return deed
  const text = `${deed.text} (${said.size + 1})`
  said.set(text, page)
  return { ...deed, text }
}

import type { AgentEvent, DurableEvent } from '../../packages/core/src/kernel/events.ts'
import { createHearing, type Hearing } from '../hearing.ts'
import type { AppendPlan, CallPlan, FilePlan, LoadPlan, Plan, StartFault } from '../plan.ts'
import { createDesk, type Desk } from './desk.ts'
import { createDisk, type Disk } from './disk.ts'
import { type Injections, noteInjection } from './injections.ts'
import { createOrigin, type Origin } from './origin.ts'
import { createRandom, type Random } from './random.ts'
import { createTimeline, type Timeline } from './timeline.ts'

/** How a plan is played, apart from its content: for the modes. */
export interface PlayMode {
  /** Each message of a worker comes twice. */
  readonly everyMessageTwice?: boolean
  /** Every event is stored by itself. */
  readonly oneEventPerAppend?: boolean
  /** Work that only very many calls make long is made long by a few. */
  readonly shortTurns?: boolean
  /** What an earlier page had stored. The user first continues with it. */
  readonly from?: readonly DurableEvent[]
}

/** What is kept over a reload: time, chance, ids, the log, and how much of the plan is used. */
export interface World {
  readonly plan: Plan
  readonly mode: PlayMode
  readonly timeline: Timeline
  readonly random: Random
  readonly newId: (prefix: string) => string
  /** All events, ephemeral ones included. */
  readonly log: AgentEvent[]
  /** What is stored. */
  readonly disk: Disk
  readonly origin: Origin
  desk: Desk
  readonly hearing: Hearing
  readonly injections: Injections
  /** Counts a fault, in the state the agent is in. */
  readonly inject: (fault: string) => void
  /** The calls the model has made, by their number. */
  readonly calls: CallPlan[]
  /** All executions that were posted to workers. */
  readonly executions: string[]
  readonly used: {
    answers: number
    inner: number
    deeper: number
    workers: number
    appends: number
    loads: number
    files: number
    messages: number
    claims: number
  }
  /** The files of which a page was notified that they are not stored. */
  readonly refusedFiles: Set<string>
  readonly filePlanOf: (file: number) => FilePlan | undefined
  readonly loadPlanOf: (load: number) => LoadPlan | undefined
  readonly startFaultOf: (worker: number) => StartFault | undefined
  readonly appendPlanOf: (append: number) => AppendPlan | undefined
  /** The status that the agent shows; set by the open page. */
  status: () => string
}

export function createWorld(plan: Plan, mode: PlayMode): World {
  const ids = new Map<string, number>()
  // Ids are unique in a session, over all of its pages.
  const mark = mode.from ? 'again_' : ''
  const injections: Injections = new Map()
  const starts = new Map(plan.starts.map(({ worker, fault }) => [worker, fault]))
  const appends = new Map(plan.appends.map((append) => [append.append, append]))
  const timeline = createTimeline(createRandom(plan.seed))
  const world: World = {
    plan,
    mode,
    timeline,
    // Not that of the timeline: the length of a pause does not depend on how many timers were set before it.
    random: createRandom(~plan.seed),
    newId: (prefix) => {
      const count = (ids.get(prefix) ?? 0) + 1
      ids.set(prefix, count)
      return `${prefix}_${mark}${count}`
    },
    log: [],
    disk: createDisk(mode.from),
    origin: createOrigin({
      timeline,
      sharesLocks: plan.pages !== undefined && plan.pages.ownLocks !== true,
      nextMessage: () => {
        const message = world.used.messages++
        return plan.pages?.messages.find((one) => one.message === message)
      },
      noteFault: (fault) => world.inject(`storage_${fault}`),
    }),
    desk: createDesk(),
    hearing: createHearing(plan.options.updateIntervalMs !== 0),
    injections,
    inject: (fault) => noteInjection(injections, fault, world.status()),
    calls: [],
    executions: [],
    used: {
      answers: 0,
      inner: 0,
      deeper: 0,
      workers: 0,
      appends: 0,
      loads: 0,
      files: 0,
      messages: 0,
      claims: 0,
    },
    refusedFiles: new Set(),
    filePlanOf: (file) => plan.files?.find((one) => one.file === file),
    loadPlanOf: (load) => plan.loads?.find((one) => one.load === load),
    startFaultOf: (worker) => starts.get(worker),
    appendPlanOf: (append) => appends.get(append),
    status: () => 'opening',
  }
  return world
}

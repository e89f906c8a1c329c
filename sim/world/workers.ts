import type { WorkerLike } from '../../packages/core/src/tools/worker-link.ts'
import type { Behaviour, CallPlan, StartFault } from '../plan.ts'
import type { Scope, Timeline } from './timeline.ts'
import type { WorkerScene, WorkerScript } from './worker-scripts.ts'
import { endStopped, runFine, sayReady, startScripts, workerScripts } from './worker-scripts.ts'

/** A call that was posted to a worker: from here on it may have effects. */
export interface PostedRun {
  readonly executionId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly attempt: number
  readonly input: object
}

export interface WorkersOptions {
  readonly timeline: Timeline
  readonly scope: Scope
  readonly planOf: (run: PostedRun) => CallPlan | undefined
  /** What happens to the worker that is being started. */
  readonly nextStart: () => StartFault | undefined
  readonly everyMessageTwice: boolean
  readonly noteLive: (live: number) => void
  readonly notePosted: (run: PostedRun) => void
  /** The true code of a call begins, and ends. What liars say is not told. */
  readonly noteBegun: (run: PostedRun) => void
  readonly noteReply: (run: PostedRun, reply: TrueReply) => void
  readonly noteFault: (fault: Behaviour | StartFault) => void
  readonly foreignId: () => string
}

/** How the code of a call really ended. */
export interface TrueReply {
  readonly kind: 'returned' | 'threw' | 'crashed'
  readonly text?: string
}

/** A busy worker that is terminated may run on for this long. */
const afterlifeMs = 1999

/** The workers of one page: threads without a thread. */
export interface Workers {
  readonly spawn: () => WorkerLike
  readonly live: () => number
  /** Those of them that have no call yet. */
  readonly starting: () => number
}

const bootMs = 3

export function createWorkers(options: WorkersOptions): Workers {
  const { timeline, scope } = options
  let live = 0
  let starting = 0
  // Terminated, and running on for a while.
  let dying = 0
  const change = (by: number): void => {
    live += by
    options.noteLive(live + dying)
  }
  const linger = (): void => {
    dying += 1
    timeline.after(afterlifeMs, () => (dying -= 1), scope)
  }
  return {
    live: () => live,
    starting: () => starting,
    spawn: () => {
      const fault = options.nextStart()
      if (fault) options.noteFault(fault)
      if (fault === 'cannot_spawn') throw new Error('No more workers.')
      change(1)
      starting += 1
      return createWorker(fault ? startScripts[fault] : sayReady, {
        ...options,
        notePosted: (run) => {
          starting -= 1
          options.notePosted(run)
        },
        ended: ({ hadCall, isBusy }) => {
          if (!hadCall) starting -= 1
          if (isBusy) linger()
          change(-1)
        },
      })
    },
  }
}

/** What a worker was doing when it was terminated. */
interface Last {
  readonly hadCall: boolean
  readonly isBusy: boolean
}

type Listener = (event: Event) => void

function createWorker(
  start: (scene: WorkerScene) => void,
  options: WorkersOptions & { readonly ended: (last: Last) => void },
): WorkerLike {
  const { timeline, scope } = options
  const listeners: { type: string; listener: Listener }[] = []
  let terminated = false
  let isBusy = false
  let request: PostedRun | null = null
  let plan: CallPlan | undefined
  let script: WorkerScript = {}

  const fire = (type: string, fields: object): void => {
    // Also after `terminate()`: the worst case. What is still heard then is a mistake of the page.
    const event = Object.assign(new Event(type), fields)
    for (const one of [...listeners]) if (one.type === type) one.listener(event)
  }
  const noteTruth = (message: object): void => {
    const reply = trueReply(message, request?.executionId)
    if (reply) isBusy = false
    if (request && reply) options.noteReply(request, reply)
  }
  const scene = (): WorkerScene => ({
    executionId: request?.executionId ?? '',
    foreignId: options.foreignId(),
    ms: plan?.ms ?? 0,
    after: (ms, act) => void timeline.after(ms, act, scope),
    say: (message) => {
      noteTruth(message)
      fire('message', { data: message })
      if (options.everyMessageTwice) fire('message', { data: message })
    },
    fire: (type, fields = {}) => {
      noteTruth({ type: 'broken' })
      fire(type, fields)
    },
  })
  const note = (): void => {
    if (plan && plan.does !== 'fine' && plan.does !== 'speaks') options.noteFault(plan.does)
  }

  timeline.after(bootMs, () => !terminated && start(scene()), scope)

  const run = (posted: PostedRun): void => {
    request = posted
    options.notePosted(posted)
    plan = options.planOf(posted)
    script = plan ? workerScripts[plan.does] : {}
    if (script.run || script.stop === null) note()
    const begin = (): void => {
      isBusy = true
      options.noteBegun(posted)
      const does = script.run ?? runFine
      does(scene())
    }
    timeline.after(1, () => !terminated && begin(), scope)
  }
  const stop = (): void => {
    if (script.stop === null) return
    timeline.after(1, () => !terminated && (script.stop ?? endStopped)(scene()), scope)
  }

  return {
    postMessage: (message) => {
      const data = structuredClone(message) as PageWord
      if (data.type === 'run') run(data.request)
      else if (data.executionId === request?.executionId) stop()
    },
    terminate: () => {
      if (terminated) return
      terminated = true
      options.ended({ hadCall: request !== null, isBusy })
    },
    addEventListener: (type, listener) => void listeners.push({ type, listener }),
    removeEventListener: (type, listener) => {
      const at = listeners.findIndex((one) => one.type === type && one.listener === listener)
      if (at >= 0) listeners.splice(at, 1)
    },
  }
}

type PageWord =
  | { readonly type: 'run'; readonly request: PostedRun }
  | { readonly type: 'abort'; readonly executionId: string }

function trueReply(message: object, executionId: string | undefined): TrueReply | null {
  const said = message as SaidBack
  if (said.type === 'broken') return { kind: 'crashed' }
  if (said.type !== 'settled' || said.executionId !== executionId) return null
  const { kind, result } = said.settlement ?? {}
  if (kind === 'threw') return { kind }
  if (kind !== 'returned' || !Array.isArray(result?.content)) return null
  return { kind, text: result.content.map(({ text }) => text).join('') }
}

interface SaidBack {
  readonly type?: string
  readonly executionId?: string
  readonly settlement?: {
    readonly kind?: string
    readonly result?: { readonly content?: readonly { readonly text?: string }[] | string }
  }
}

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
  readonly noteFault: (fault: Behaviour | StartFault) => void
  readonly foreignId: () => string
}

/** The workers of one page: threads without a thread. */
export interface Workers {
  readonly spawn: () => WorkerLike
  readonly live: () => number
}

const bootMs = 3

export function createWorkers(options: WorkersOptions): Workers {
  let live = 0
  const change = (by: number): void => {
    live += by
    options.noteLive(live)
  }
  return {
    live: () => live,
    spawn: () => {
      const fault = options.nextStart()
      if (fault) options.noteFault(fault)
      if (fault === 'cannot_spawn') throw new Error('No more workers.')
      change(1)
      const start = fault ? startScripts[fault] : sayReady
      return createWorker(start, options, () => change(-1))
    },
  }
}

type Listener = (event: Event) => void

function createWorker(
  start: (scene: WorkerScene) => void,
  options: WorkersOptions,
  ended: () => void,
): WorkerLike {
  const { timeline, scope } = options
  const listeners: { type: string; listener: Listener }[] = []
  let terminated = false
  let executionId = ''
  let plan: CallPlan | undefined
  let script: WorkerScript = {}

  const fire = (type: string, fields: object): void => {
    // Also after `terminate()`: the worst case. What is still heard then is a mistake of the page.
    const event = Object.assign(new Event(type), fields)
    for (const one of [...listeners]) if (one.type === type) one.listener(event)
  }
  const scene = (): WorkerScene => ({
    executionId,
    foreignId: options.foreignId(),
    ms: plan?.ms ?? 0,
    after: (ms, act) => void timeline.after(ms, act, scope),
    say: (message) => {
      fire('message', { data: message })
      if (options.everyMessageTwice) fire('message', { data: message })
    },
    fire: (type, fields = {}) => fire(type, fields),
  })
  const note = (): void => {
    if (plan && plan.does !== 'fine' && plan.does !== 'speaks') options.noteFault(plan.does)
  }

  timeline.after(bootMs, () => !terminated && start(scene()), scope)

  const run = (request: PostedRun): void => {
    executionId = request.executionId
    options.notePosted(request)
    plan = options.planOf(request)
    script = plan ? workerScripts[plan.does] : {}
    if (script.run || script.stop === null) note()
    timeline.after(1, () => !terminated && (script.run ?? runFine)(scene()), scope)
  }
  const stop = (): void => {
    if (script.stop === null) return
    timeline.after(1, () => !terminated && (script.stop ?? endStopped)(scene()), scope)
  }

  return {
    postMessage: (message) => {
      const data = structuredClone(message) as PageWord
      if (data.type === 'run') run(data.request)
      else if (data.executionId === executionId) stop()
    },
    terminate: () => {
      if (terminated) return
      terminated = true
      ended()
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

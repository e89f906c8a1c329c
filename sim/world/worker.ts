import type { Saying } from '../../packages/core/rules/said.ts'
import type { CallNotice } from '../../packages/core/src/tools/host.ts'
import type { WorkerLike } from '../../packages/core/src/tools/page/worker-boot.ts'
import { createCallLog } from '../../packages/core/src/tools/worker/call-log.ts'
import { coalesce } from '../../packages/core/src/tools/worker/coalesce.ts'
import { createContext } from '../../packages/core/src/tools/worker/context.ts'
import {
  type Credit,
  createCredit,
  type RefillableCredit,
} from '../../packages/core/src/tools/worker/credit.ts'
import type { Behaviour, CallPlan, StartFault } from '../plan.ts'
import { speak } from './speech.ts'
import { createClock, type Scope, type Timeline } from './timeline.ts'
import {
  endStopped,
  runFine,
  type WorkerScene,
  type WorkerScript,
  workerScripts,
} from './worker-scripts.ts'

/** A call that was posted to a worker: from here on it may have effects. */
export interface PostedRun {
  readonly executionId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly attempt: number
  readonly input: object
  readonly updateIntervalMs?: number
}

/** What one worker needs from the world, and reports to it. */
export interface WorkerPorts {
  readonly timeline: Timeline
  readonly scope: Scope
  readonly planOf: (run: PostedRun) => CallPlan | undefined
  readonly everyMessageTwice: boolean
  readonly notePosted: (run: PostedRun) => void
  /** Reports when the genuine code of a call starts and ends. Forged messages are not reported here. */
  readonly noteBegun: (run: PostedRun) => void
  readonly noteReply: (run: PostedRun, reply: TrueReply) => void
  readonly noteFault: (fault: Behaviour | StartFault) => void
  /** The code of a call says something. */
  readonly noteSaid: (run: PostedRun, saying: Saying) => void
  /** The execution of another call. */
  readonly foreignId: (own: string) => string
}

/** How the code of a call really ended. */
interface TrueReply {
  readonly kind: 'returned' | 'threw' | 'crashed'
  readonly text?: string
}

/** What a worker was doing when it was terminated. */
interface LastDoing {
  readonly hadCall: boolean
  readonly isBusy: boolean
}

export interface WorkerOptions extends WorkerPorts {
  /** Its first message, or what comes instead. */
  readonly start: (scene: WorkerScene) => void
  readonly ended: (last: LastDoing) => void
}

const bootMs = 3

/** A worker without a thread. It does what the plan says of its call. */
export function createWorker(options: WorkerOptions): WorkerLike {
  const { timeline, scope } = options
  const { fire, ...listening } = createListeners()
  let terminated = false
  let isBusy = false
  let request: PostedRun | null = null
  let plan: CallPlan | undefined
  const credit = createCredit()

  const after = (ms: number, act: () => void): void => {
    timeline.after(ms, () => !terminated && act(), scope)
  }
  const noteTruth = (message: object): void => {
    const reply = trueReply(message, request?.executionId)
    if (reply) isBusy = false
    if (request && reply) options.noteReply(request, reply)
  }
  // Messages sent after `terminate()` still arrive: the worst case. A page that acts on one has a bug.
  const say = (message: object): void => {
    noteTruth(message)
    fire('message', { data: message })
    if (options.everyMessageTwice && !isEvent(message)) fire('message', { data: message })
  }
  const scene = (): WorkerScene => ({
    executionId: request?.executionId ?? '',
    foreignId: options.foreignId(request?.executionId ?? ''),
    ms: plan?.ms ?? 0,
    files: plan?.files ?? 0,
    after: (ms, act) => void timeline.after(ms, act, scope),
    say,
    speak: () => speakAs(request, { ...options, credit, says: plan?.says, say }),
    fire: (type, fields = {}) => {
      noteTruth({ type: 'broken' })
      fire(type, fields)
    },
  })
  const run = (posted: PostedRun): void => {
    request = posted
    options.notePosted(posted)
    plan = options.planOf(posted)
    noteFault(plan, options)
    after(1, () => {
      isBusy = true
      options.noteBegun(posted)
      afterWords(plan, scene(), () => void (scriptOf(plan).run ?? runFine)(scene()))
    })
  }
  const stop = (): void => {
    const { stop: does = endStopped } = scriptOf(plan)
    if (does) after(1, () => does(scene()))
  }

  after(bootMs, () => options.start(scene()))
  return {
    postMessage: (message) =>
      obey(structuredClone(message) as PageWord, { own: request?.executionId, run, stop, credit }),
    terminate: () => {
      if (!terminated) options.ended({ hadCall: request !== null, isBusy })
      terminated = true
    },
    ...listening,
  }
}

function scriptOf(plan: CallPlan | undefined): WorkerScript {
  return plan ? workerScripts[plan.does] : {}
}

function noteFault(plan: CallPlan | undefined, options: Pick<WorkerOptions, 'noteFault'>): void {
  if (plan && plan.does !== 'fine' && plan.does !== 'reports') options.noteFault(plan.does)
}

/** Lets code that comes to no good end first send what its plan says. */
function afterWords(plan: CallPlan | undefined, { speak }: WorkerScene, act: () => void): void {
  if (plan?.says && plan.does !== 'reports') void speak().then(act)
  else act()
}

interface Obeying {
  readonly own: string | undefined
  readonly run: (posted: PostedRun) => void
  readonly stop: () => void
  readonly credit: RefillableCredit
}

function obey(word: PageWord, { own, run, stop, credit }: Obeying): void {
  if (word.type === 'run') run(word.request)
  else if (word.executionId !== own) return
  else if (word.type === 'abort') stop()
  else credit.refill(word.messages)
}

/** An event of a tool's own counts each time that it comes. */
function isEvent(message: object): boolean {
  return 'type' in message && message.type === 'custom'
}

interface Voice extends Pick<WorkerPorts, 'timeline' | 'scope' | 'noteSaid'> {
  readonly credit: Credit
  readonly says: CallPlan['says']
  readonly say: (message: object) => void
}

/** Says what the plan says of a call, through the code that sends it in a real worker. */
async function speakAs(posted: PostedRun | null, voice: Voice): Promise<void> {
  if (!posted) return
  const { timeline, scope, credit, says, say, noteSaid } = voice
  const { executionId, updateIntervalMs } = posted
  const clock = createClock(timeline, scope)
  const listener = (notice: CallNotice): void => say({ ...notice, executionId })
  const outlet = coalesce(listener, { clock, credit, updateIntervalMs })
  const mouth = createContext({
    request: { ...posted, input: {}, resources: {} },
    signal: new AbortController().signal,
    outlet,
    log: createCallLog(outlet, clock),
  })
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => timeline.after(ms, resolve, scope))
  await speak({ mouth, wait, note: (saying) => noteSaid(posted, saying) }, says)
  await outlet.close()
}

type Listener = (event: Event) => void

function createListeners() {
  const listeners: { readonly type: string; readonly listener: Listener }[] = []
  return {
    addEventListener: (type: string, listener: Listener): void =>
      void listeners.push({ type, listener }),
    removeEventListener: (type: string, listener: Listener): void => {
      const at = listeners.findIndex((one) => one.type === type && one.listener === listener)
      if (at >= 0) listeners.splice(at, 1)
    },
    fire: (type: string, fields: object): void => {
      const event = Object.assign(new Event(type, { cancelable: true }), fields)
      for (const one of [...listeners]) if (one.type === type) one.listener(event)
    },
  }
}

type PageWord =
  | { readonly type: 'run'; readonly request: PostedRun }
  | { readonly type: 'abort'; readonly executionId: string }
  | { readonly type: 'credit'; readonly executionId: string; readonly messages: number }

function trueReply(message: object, executionId: string | undefined): TrueReply | null {
  const said = message as SaidBack
  if (said.type === 'broken' || said.type === 'wild') return { kind: 'crashed' }
  if (said.type !== 'settled' || said.executionId !== executionId) return null
  const { kind, result } = said.settlement ?? {}
  if (kind === 'threw') return { kind }
  const content = result?.content
  if (kind !== 'returned' || typeof content !== 'object') return null
  return { kind, text: content.map(({ text }) => text).join('') }
}

interface SaidBack {
  readonly type?: string
  readonly executionId?: string
  readonly settlement?: {
    readonly kind?: string
    readonly result?: { readonly content?: readonly { readonly text?: string }[] | string }
  }
}

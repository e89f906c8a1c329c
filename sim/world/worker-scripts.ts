import type { Behaviour, StartFault } from '../plan.ts'
import { workerTools } from './tools.ts'

/** What a script can do to play the code in a worker. */
export interface WorkerScene {
  /** The execution that the page requested; empty before that. */
  readonly executionId: string
  /** The execution of some other call. */
  readonly foreignId: string
  readonly ms: number
  /** How many files its result has. */
  readonly files: number
  readonly after: (ms: number, act: () => void) => void
  /** Posts a message to the page. */
  readonly say: (message: object) => void
  /** Says what the plan says, as the code of a tool does. Resolves when everything is on its way. */
  readonly speak: () => Promise<void>
  /** Fires another event at the page's side. */
  readonly fire: (type: 'error' | 'messageerror', fields?: object) => void
}

/**
 * What a behaviour does when its worker is given a call, and when the call is aborted. Absent parts are the usual
 * ones.
 */
export interface WorkerScript {
  readonly run?: (scene: WorkerScene) => void
  /** Absent: it ends at once when aborted. `null`: it ignores the abort. */
  readonly stop?: ((scene: WorkerScene) => void) | null
}

const toolNames = workerTools.map(({ name }) => name)

/** The first message of every well-behaved worker. */
export function sayReady({ say }: WorkerScene): void {
  say({ type: 'ready', protocolVersion: 1, toolNames })
}

/** Ends the call as a tool does that reacts to its abort. */
export function endStopped(scene: WorkerScene): void {
  settle(scene, { kind: 'threw', errorKind: 'cancelled', message: 'It was stopped.' })
}

/** The course of a call with each behaviour. Behaviours without an entry are `fine`. */
export const workerScripts: { readonly [B in Behaviour]: WorkerScript } = {
  fine: {},
  reports: {
    run: (scene) => {
      begin(scene)
      scene.after(scene.ms, () => void scene.speak().then(() => finish(scene)))
    },
  },
  terminates: { run: (scene) => running(scene, () => finish(scene, { terminate: true })) },
  throws: {
    run: (scene) =>
      running(scene, () =>
        settle(scene, { kind: 'threw', errorKind: 'failed', message: 'It failed.' }),
      ),
  },
  hangs: { run: begin },
  deaf: { run: begin, stop: null },
  crashes: { run: (scene) => running(scene, () => scene.fire('error', { message: 'Boom.' })) },
  breaks: {
    run: (scene) => running(scene, () => scene.say({ type: 'broken', message: 'Broken.' })),
  },
  huge: { run: (scene) => running(scene, () => finish(scene, { text: hugeText })) },
  uncloneable: { run: (scene) => running(scene, () => scene.fire('messageerror')) },
  floods: {
    run: (scene) =>
      running(scene, () => {
        for (let count = 0; count < 20; count += 1) sayFour(scene, count)
        finish(scene)
      }),
  },
  drowns: {
    run: (scene) =>
      running(scene, () => {
        goWild(scene)
        const kind = oneOf(floodMessages(scene.executionId), scene)
        for (let count = 0; count < 2100; count += 1) scene.say(kind)
        finish(scene)
      }),
  },
  too_big: {
    run: (scene) =>
      running(scene, () => {
        goWild(scene)
        scene.say(oneOf(bigMessages(scene.executionId), scene))
        finish(scene)
      }),
  },
  strange: {
    run: (scene) =>
      running(scene, () => {
        for (const message of strangeMessages(scene.executionId)) scene.say(message)
        finish(scene)
      }),
  },
  silent_start: { run: (scene) => scene.after(scene.ms, () => finish(scene)) },
  replies_late: {
    run: (scene) =>
      running(scene, () => {
        finish(scene)
        scene.after(scene.ms, () => {
          sayFour(scene, 3)
          finish(scene, { text: 'late' })
        })
      }),
  },
  replies_twice: {
    run: (scene) =>
      running(scene, () => {
        finish(scene)
        finish(scene, { text: 'twice' })
        settle(scene, { kind: 'threw', errorKind: 'failed', message: 'twice' })
      }),
  },
  foreign_reply: {
    run: (scene) =>
      running(scene, () => {
        finish({ ...scene, executionId: scene.foreignId }, { text: 'foreign' })
        scene.after(scene.ms, () => finish(scene))
      }),
  },
  ends_after_stop: { run: begin, stop: (scene) => scene.after(scene.ms, () => finish(scene)) },
}

type Start = (scene: WorkerScene) => void

/** The ways a worker fails to start. One that cannot be spawned needs no script. */
export const startScripts: { readonly [F in Exclude<StartFault, 'cannot_spawn'>]: Start } = {
  never_ready: () => {},
  ready_late: (scene) => scene.after(200, () => sayReady(scene)),
  fails_to_load: (scene) => scene.fire('error'),
  wrong_version: ({ say }) => say({ type: 'ready', protocolVersion: 2, toolNames }),
  lacks_tool: ({ say }) => say({ type: 'ready', protocolVersion: 1, toolNames: [] }),
  forged_reply: (scene) => {
    sayReady(scene)
    finish({ ...scene, executionId: scene.foreignId }, { text: 'forged' })
    finish({ ...scene, executionId: '' }, { text: 'forged' })
  },
}

/** What a behaviour does unless it says otherwise: it starts, works, and returns. */
export function runFine(scene: WorkerScene): void {
  running(scene, () => finish(scene))
}

/** Sends a message that no page knows: from here on it has to take the code for crashed, whatever that sends. */
function goWild({ say }: WorkerScene): void {
  say({ type: 'wild' })
}

function running(scene: WorkerScene, then: () => void): void {
  begin(scene)
  scene.after(scene.ms, then)
}

function begin({ say, executionId }: WorkerScene): void {
  say({ type: 'running', executionId })
}

function sayFour({ say, executionId }: WorkerScene, value: number): void {
  const content = [{ type: 'text', text: `half ${value}` }]
  say({ type: 'update', executionId, partial: { content, details: { value } } })
  say({ type: 'progress', executionId, progress: { message: 'on it', value, total: 20 } })
  const lines = [{ level: 'info', text: `line ${value}`, t: value }]
  say({ type: 'log', executionId, lines, dropped: 0 })
  say({ type: 'custom', executionId, name: 'step', data: { value } })
}

function finish(
  scene: WorkerScene,
  { text = 'done', terminate }: { text?: string; terminate?: true } = {},
): void {
  const result = {
    content: [{ type: 'text', text }],
    details: { unseen: 'details' },
    ...(terminate && { terminate }),
    ...(scene.files > 0 && { artifacts: filesOf(scene.executionId, scene.files) }),
  }
  settle(scene, { kind: 'returned', result })
}

/** Another one for each call: how long it works has few values. */
function oneOf(kinds: readonly object[], { executionId, ms }: WorkerScene): object {
  const number = Number(executionId.replaceAll(/\D/g, ''))
  return kinds[(3 * number + ms) % kinds.length] ?? kinds
}

/** Files that hold their names. */
export function filesOf(executionId: string, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const name = `${executionId} file ${index + 1}`
    return { name, mediaType: 'text/plain', data: new TextEncoder().encode(name).buffer }
  })
}

function settle({ say, executionId }: WorkerScene, settlement: object): void {
  say({ type: 'settled', executionId, settlement })
}

const hugeText = 'much '.repeat(60)

function strangeMessages(executionId: string): readonly object[] {
  return [
    { type: 'ready', protocolVersion: 1, toolNames },
    { type: 'settled', executionId },
    { type: 'settled', executionId, settlement: { kind: 'returned', result: { content: 'text' } } },
    { type: 'update', executionId, partial: null },
    { type: 'progress', executionId, progress: { value: Number.NaN } },
    { type: 'nothing', executionId },
    [],
    ...unlikeJson.map((data) => ({ type: 'custom', executionId, name: 'a', data, durable: true })),
    ...unlikeJson.map((details) => ({
      type: 'update',
      executionId,
      partial: { content: [], details },
    })),
    {
      type: 'log',
      executionId,
      lines: [{ level: 'info', text: 'a', t: -0, more: 1n }],
      dropped: -0,
    },
    { type: 'progress', executionId, progress: { value: -0, more: new Map() } },
    ...[-1, 0.5, 1e308, 1e308].map((dropped) => ({ type: 'log', executionId, lines: [], dropped })),
  ]
}

const endless: unknown[] = []
endless.length = 2 ** 32 - 1
const cycle: { self?: unknown } = {}
cycle.self = cycle

/** What a clone carries, and JSON does not. */
const unlikeJson: readonly unknown[] = [
  1n,
  new Map(),
  cycle,
  Object.assign([1], { 2: 2 }),
  { a: new Date(0) },
]

const bigText = 'much '.repeat(500_000)

const bigImage = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(5_000_004) }

/** More than a message may have of anything. */
function tooMany(one: unknown): readonly unknown[] {
  return Array(1001).fill(one)
}

/** One message over each limit. */
export function bigMessages(executionId: string): readonly object[] {
  const part = { type: 'text', text: 'a' }
  const contents = [[{ type: 'text', text: bigText }], tooMany(part), [bigImage]]
  const data = [{ details: bigText }, { structuredContent: { a: bigText } }]
  const [file] = filesOf(executionId, 1)
  const results = [
    ...contents.map((content) => ({ content })),
    ...data.map((fields) => ({ content: [], ...fields })),
    { content: [], artifacts: tooMany(file) },
  ]
  const line = { level: 'info', text: 'a', t: 1 }
  const custom = { type: 'custom', executionId, name: 'a', durable: true }
  const threw = { kind: 'threw', errorKind: 'failed', message: 'a', details: bigText }
  return [
    ...results.map((partial) => ({ type: 'update', executionId, partial })),
    ...[...results.map((result) => ({ kind: 'returned', result })), threw].map((settlement) => ({
      ...{ type: 'settled', executionId, settlement },
    })),
    { type: 'log', executionId, lines: tooMany(line), dropped: 0 },
    ...[[bigText], endless].map((one) => ({ ...custom, data: one })),
    { type: 'ready', protocolVersion: 1, toolNames: tooMany('a') },
  ]
}

/** Messages of which each may be posted now and then, but none so often. */
export function floodMessages(executionId: string): readonly object[] {
  return [
    { type: 'alive', executionId },
    { type: 'running', executionId },
    { type: 'ready', protocolVersion: 1, toolNames },
    { type: 'update', executionId, partial: { content: [] } },
    { type: 'progress', executionId, progress: { value: 1 } },
    { type: 'log', executionId, lines: [{ level: 'info', text: 'a', t: 1 }], dropped: 0 },
    { type: 'custom', executionId, name: 'a', data: 1, durable: false },
    { type: 'settled', executionId: 'another', settlement: {} },
    { type: 'settled', executionId, settlement: {} },
    { mine: true },
  ]
}

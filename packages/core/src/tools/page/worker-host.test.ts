import { afterEach, beforeEach, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { nextTask } from '../../internal/next-task.ts'
import { type FakeClock, fakeClock } from '../../testing/fake-clock.ts'
import { checkTools } from '../check-tools.ts'
import { defineTool, type Tool } from '../definition.ts'
import { behave, behaveAt } from '../fixtures/behave.fixtures.ts'
import { callTo, createRecorder, settleDown } from '../fixtures/calls.fixtures.ts'
import {
  createFakeWorker,
  createLoopWorker,
  type FakeWorker,
  readyMessage,
} from '../fixtures/fake-worker.fixtures.ts'
import { countPrimes, echo, forgotten } from '../fixtures/tools.fixtures.ts'
import { hostContract } from '../host.contract.ts'
import { implement } from '../worker/implement.ts'
import { inWorkers } from './in-workers.ts'
import { createWorkerHost } from './worker-host.ts'

let error = vi.spyOn(console, 'error')
beforeEach(() => {
  error = vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => error.mockRestore())

hostContract('inWorkers, with its worker in this thread', (clock) => {
  const tool = behaveAt('worker')
  return inWorkers([tool], () => createLoopWorker([implement(tool, behave)]), { clock })
})

/** What is left of the listeners of a worker that was ended: one, for what it still throws. */
const onlySilence = 1

test('[S000-16] starts a worker for each call, and none before', async () => {
  const spawn = vi.fn(createFakeWorker)
  const host = createWorkerHost([echo], spawn)
  expect(spawn).not.toHaveBeenCalled()

  host.open(echo, { graceMs: 250 })
  host.open(echo, { graceMs: 250 })

  expect(spawn).toHaveBeenCalledTimes(2)
})

test('posts the call once, when the worker is ready', async () => {
  const { worker, execution, recorder } = open()
  const request = callTo('echo', { text: 'a' })

  void execution.run(request, recorder)
  await settleDown()
  expect(worker.posted).toEqual([])
  worker.say(readyMessage('echo'))
  await execution.ready
  worker.say(readyMessage('echo'))
  await settleDown()

  expect(worker.posted).toEqual([{ type: 'run', request }])
})

test('[V1] [W4] by default terminates the worker and drops it after the settlement', async () => {
  const { worker, done, clock } = await running()

  worker.say(settledMessage('e1', 'fine'))

  expect(await done).toEqual(returned('fine'))
  expect(worker.terminations()).toBe(1)
  expect(worker.listeners()).toBe(onlySilence)
  expect(clock.pending()).toBe(0)
})

test('[I34] settles by the first settlement, and drops all that comes after', async () => {
  const { worker, done, recorder, execution } = await running()
  const { fire } = worker

  worker.say(settledMessage('e1', 'first'))
  worker.say(settledMessage('e1', 'second'))
  worker.say({ type: 'update', executionId: 'e1', partial: { content: [] } })
  fire('error', { message: 'too late' })
  execution.stop()
  execution.close()

  expect(await done).toEqual(returned('first'))
  expect(recorder.notices).toEqual([])
  expect(worker.terminations()).toBe(1)
})

test('[I34] drops what is foreign, forged or garbage', async () => {
  const { worker, done, recorder } = await running()

  const update = { type: 'update', executionId: 'e1', partial: { content: [] } }
  for (const garbage of [
    undefined,
    null,
    'settled',
    readyMessage('another'),
    { type: 'ready', protocolVersion: 9, toolNames: [] },
    [],
    settledMessage('e2', 'foreign'),
    { ...update, executionId: 'e2' },
    { ...update, executionId: undefined },
    { ...update, partial: { content: 'text' } },
    { ...update, partial: { content: [], details: new Map() } },
    { ...update, type: 'constructor' },
    { type: 'settled', executionId: 'e1', settlement: { kind: 'stopped', how: 'cooperative' } },
    { type: 'settled', executionId: 'e1', settlement: { kind: 'threw', errorKind: 'denied' } },
    { type: 'log', executionId: 'e1', lines: [{ level: 'loud', text: '', t: 0 }], dropped: 0 },
  ]) {
    worker.say(garbage)
  }
  worker.say(settledMessage('e1', 'honest'))

  expect(await done).toEqual(returned('honest'))
  expect(recorder.notices).toEqual([])
})

test('acknowledges messages every 16 ms, and not signs of life', async () => {
  const { worker, clock, done } = await running()
  const notices = (fields: object) => worker.say({ executionId: 'e1', ...fields })

  for (let value = 0; value < 3; value++) notices({ type: 'progress', progress: { value } })
  notices({ type: 'custom', name: 'kept', data: 1, durable: true })
  notices({ type: 'alive' })
  clock.advance(15)
  expect(worker.posted).toHaveLength(1)
  clock.advance(1)
  notices({ type: 'custom', name: 'shown', data: 1, durable: false })
  clock.advance(16)

  expect(worker.posted.slice(1)).toEqual([
    { type: 'credit', executionId: 'e1', messages: 4 },
    { type: 'credit', executionId: 'e1', messages: 1 },
  ])
  notices({ type: 'progress', progress: { value: 4 } })
  worker.say(settledMessage('e1', 'fine'))
  expect(await done).toEqual(returned('fine'))
  expect(clock.pending()).toBe(0)
})

test('[I39] [W9] acknowledges at once in a hidden page, whose timers come a second late', async () => {
  const { worker } = await running()
  vi.stubGlobal('document', { hidden: true })
  onTestFinished(() => void vi.unstubAllGlobals())
  const say = (text: string) =>
    worker.say({ type: 'custom', executionId: 'e1', name: 'said', data: text, durable: false })

  for (let n = 0; n < 8; n++) say('a word')
  await nextTask()
  await nextTask()

  expect(worker.posted.slice(1)).toEqual([{ type: 'credit', executionId: 'e1', messages: 8 }])
})

test('[W9] [W10] ends a worker that has more than 200 events of a call stored', async () => {
  const { worker, clock, done, recorder } = await running()

  for (let i = 0; i <= 200; i++) {
    worker.say({ type: 'custom', executionId: 'e1', name: 'kept', data: i, durable: true })
    clock.advance(16)
  }

  expect(await done).toEqual({
    kind: 'crashed',
    message: 'The worker posted more than 200 events to be stored.',
  })
  expect(recorder.notices).toHaveLength(200)
})

test('[W11] ends a silent worker of a tool that must give signs of life, and no other', async () => {
  const talker = defineTool({ ...echoOptions, maxSilenceMs: 5000 })
  const { worker, clock, done } = await running(talker)
  const { clock: otherClock, worker: other } = await running()

  clock.advance(4999)
  worker.say({ type: 'alive', executionId: 'e1' })
  clock.advance(4999)
  expect(worker.terminations()).toBe(0)
  clock.advance(1)
  otherClock.advance(60_000)

  expect(await done).toMatchObject({
    kind: 'crashed',
    message: expect.stringContaining('gave no sign of life for 5 s'),
  })
  expect(worker.terminations()).toBe(1)
  expect(clock.pending()).toBe(0)
  expect(other.terminations()).toBe(0)
})

test('[W11] [W19] no time counts in which the page stood still: a frozen tab, a breakpoint', async () => {
  const fake = fakeClock()
  let stoodStill = 0
  const clock = { ...fake, monotonic: () => fake.monotonic() + stoodStill }
  const talker = defineTool({ ...echoOptions, maxSilenceMs: 5000 })
  const { worker, execution, recorder } = open(talker, clock)
  const done = execution.run(callTo('echo', { text: 'a' }), recorder)

  // The timers are due, and what the worker says is read only after them.
  stoodStill += 60_000
  fake.advance(10_000)
  worker.say(readyMessage('echo'))
  await execution.ready
  await settleDown()
  stoodStill += 60_000
  fake.advance(5000)
  worker.say({ type: 'alive', executionId: 'e1' })
  fake.advance(4999)
  expect(worker.terminations()).toBe(0)

  // It still has to say something.
  stoodStill += 60_000
  fake.advance(5001)
  expect(worker.terminations()).toBe(1)
  expect(await done).toMatchObject({ kind: 'crashed' })
  expect(fake.pending()).toBe(0)
})

test.for([
  ['error', { message: 'Uncaught RangeError: no' }, 'Uncaught RangeError: no'],
  ['messageerror', {}, 'A message of the worker could not be read.'],
  ['message', { data: { type: 'broken', message: 'No handler.' } }, 'No handler.'],
] as const)('[I15] crashes by %s, and terminates at once', async ([type, fields, message]) => {
  const { worker, done } = await running()

  worker.fire(type, fields)

  expect(await done).toEqual({ kind: 'crashed', message })
  expect(worker.terminations()).toBe(1)
  expect(worker.listeners()).toBe(onlySilence)
})

test('[W11] what a worker throws after its end is no error of the page any more', async () => {
  const { worker, done } = await running()

  const first = worker.fire('error', { message: 'Uncaught RangeError: no' })
  const later = worker.fire('error', { message: 'Uncaught RangeError: no' })

  expect(await done).toMatchObject({ kind: 'crashed' })
  expect([first.defaultPrevented, later.defaultPrevented]).toEqual([false, true])
})

test('[I40] [W18] the text of an error is cut, however long it is', async () => {
  const { worker, done } = await running()

  worker.fire('error', { message: 'x'.repeat(3_000_000) })

  expect(await done).toEqual({ kind: 'crashed', message: expect.stringMatching(/^x{1999}…$/) })
})

test('[I20] is stopped, not crashed, when the code breaks after the stop', async () => {
  const { worker, done, execution } = await running()

  execution.stop()
  expect(worker.posted.at(-1)).toEqual({ type: 'abort', executionId: 'e1' })
  expect(worker.terminations()).toBe(0)
  worker.fire('error', { message: 'aborted' })

  expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
})

test('[I20] aborts once, waits for the grace period, and terminates', async () => {
  const { worker, done, execution, clock } = await running()

  execution.stop()
  execution.stop()
  clock.advance(249)
  expect(worker.terminations()).toBe(0)
  clock.advance(1)

  expect(worker.terminations()).toBe(1)
  expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
  expect(worker.posted).toHaveLength(2)
})

test('[V1] ends a worker that does not become ready', async () => {
  const { worker, execution, recorder, clock } = open()
  const done = execution.run(callTo('echo', {}), recorder)

  clock.advance(9999)
  expect(worker.terminations()).toBe(0)
  clock.advance(1)

  const why =
    'The worker was not ready within 10 s: its script does not call serveTools([…]) at its top level, or takes longer to load, as on a busy machine (then raise bootTimeoutMs).'
  await expect(execution.ready).rejects.toThrow(why)
  expect(await done).toEqual({ kind: 'crashed', message: why })
  expect(worker.terminations()).toBe(1)
})

test('counts no time of the run as time of the start', async () => {
  const { worker, done, clock } = await running()

  clock.advance(60_000)
  worker.say(settledMessage('e1', 'slow'))

  expect(await done).toEqual(returned('slow'))
})

test('names possible reasons for a script that does not load', async () => {
  const { worker, execution } = open()

  worker.fire('error')

  await expect(execution.ready).rejects.toThrow(
    "The worker script could not be loaded: check the connection, its URL (404), MIME type and origin (another than the page's needs crossOriginWorker), type: 'module' for a module, that neither it nor what it imports has a syntax error or an import that fails, the page's CSP worker-src, and that it has the page's Cross-Origin-Embedder-Policy if there is one.",
  )
  expect(worker.terminations()).toBe(1)
})

test('says so when the function that starts a worker returns none', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const clock = fakeClock()
  // As JavaScript may write it: with braces, and without a return.
  const host = createWorkerHost([echo], vi.fn<() => FakeWorker>(), { clock })

  for (let n = 0; n < 9; n++) {
    await expect(host.open(echo, { graceMs: 0 }).ready).rejects.toThrow(
      'The worker could not be started: The function returned no worker. Write () => new Worker(…).',
    )
  }
  expect(clock.pending()).toBe(0)
})

test('says why a worker could not be started', async () => {
  const host = createWorkerHost([echo], () => {
    throw new DOMException('Not this origin.', 'SecurityError')
  })
  const execution = host.open(echo, { graceMs: 250 })

  await expect(execution.ready).rejects.toThrow(
    'The worker could not be started: Not this origin. A worker must come from the origin of the page. A page that was opened as a file has none: serve it. For a script from elsewhere, and on a page in a sandboxed frame, write crossOriginWorker(address) in place of new Worker(…).',
  )
  expect(await execution.run(callTo('echo', {}), createRecorder())).toMatchObject({
    kind: 'crashed',
  })
})

const notModule =
  "The script is a module: start it with new Worker(…, { type: 'module' }). If it is already, this browser has no module workers"

test.each([
  'Uncaught SyntaxError: Cannot use import statement outside a module',
  "Uncaught SyntaxError: Unexpected token 'export'",
  'SyntaxError: import declarations may only appear at top level of a module',
  "SyntaxError: Unexpected token '{'. import call expects one or two arguments.",
])('says that a module was started as a classic script: %s', async (message) => {
  const { worker, execution } = open()

  worker.fire('error', { message })

  await expect(execution.ready).rejects.toThrow(notModule)
})

test('says that a browser starts no modules as workers', async () => {
  const host = createWorkerHost([echo], () => {
    throw new TypeError('Module scripts are not supported on DedicatedWorker yet.')
  })

  await expect(host.open(echo, { graceMs: 250 }).ready).rejects.toThrow(notModule)
})

test('says of a worker that is refused at once what may be wrong, as WebKit does not', async () => {
  const host = createWorkerHost([echo], () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })

  await expect(host.open(echo, { graceMs: 250 }).ready).rejects.toThrow(
    /insecure\. A worker must come from the origin .* must allow it in worker-src, with blob: for crossOriginWorker\.$/,
  )
})

test.each([
  "Failed to construct 'Worker': This document requires 'TrustedScriptURL' assignment.",
  'Worker constructor: Sink type mismatch violation blocked by CSP',
  'This assignment requires a TrustedScriptURL',
])('says what a page with Trusted Types needs: %s', async (message) => {
  const host = createWorkerHost([echo], () => {
    throw new TypeError(message)
  })

  await expect(host.open(echo, { graceMs: 250 }).ready).rejects.toThrow(
    /[^.]\. The page's CSP has require-trusted-types-for: the page needs a policy named default, as docs\/csp-and-assets\.md shows it\.$/,
  )
})

test('leaves what a script throws as it is', async () => {
  const { worker, execution } = open()

  worker.fire('error', { message: 'Uncaught Error: The module has no export.' })

  await expect(execution.ready).rejects.toThrow(/^Uncaught Error: The module has no export\.$/)
})

test.for([
  [
    'of the page',
    { disposition: 'enforce', effectiveDirective: 'worker-src' },
    '',
    /^The page's Content-Security-Policy/,
  ],
  [
    'that only reports',
    { disposition: 'report', effectiveDirective: 'worker-src' },
    '',
    /could not be loaded/,
  ],
  [
    'of something else',
    { disposition: 'enforce', effectiveDirective: 'img-src' },
    '',
    /could not be loaded/,
  ],
  [
    'beside a real cause',
    { disposition: 'enforce', effectiveDirective: 'worker-src' },
    'At the top.',
    /^At the top\.$/,
  ],
] as const)('recognises a policy %s', async ([, violation, message, reason]) => {
  const page = new EventTarget()
  vi.stubGlobal('document', page)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { worker, execution } = open()

  page.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), violation))
  worker.fire('error', { message })

  await expect(execution.ready).rejects.toThrow(reason)
})

test('[W8] writes each reason why workers cannot be used to the console once', async () => {
  const workers: FakeWorker[] = []
  const host = createWorkerHost([echo, forgotten], () => {
    const worker = createFakeWorker()
    workers.push(worker)
    return worker
  })
  const openThree = () => [1, 2, 3].map(() => host.open(echo, { graceMs: 250 }))

  openThree()
  for (const worker of workers.splice(0)) worker.fire('error', { message: 'At the top.' })
  await settleDown()
  openThree()
  for (const worker of workers) worker.say(readyMessage('count_primes'))
  await settleDown()

  const about = 'Offthread cannot use the worker of echo, forgotten. '
  expect(error.mock.calls).toEqual([
    [`${about}At the top.`],
    [
      `${about}The worker does not implement "echo". It implements: count_primes. Add implement(echo, …) to serveTools([…]).`,
    ],
  ])
})

test('writes nothing to the console of what ends or crashes later, or is requested', async () => {
  createWorkerHost([echo], createFakeWorker).open(echo, { graceMs: 250 }).close()
  const { worker, done } = await running()
  worker.fire('error', { message: 'In the middle.' })
  await done
  const host = createWorkerHost([echo], () => {
    throw new Error('No.')
  })
  await expect(checkTools(host)).rejects.toThrow('No.')

  expect(error).not.toHaveBeenCalled()
})

test('refuses a worker of another version', async () => {
  const { worker, execution } = open()

  worker.say({ type: 'ready', protocolVersion: 2, toolNames: ['echo'] })

  await expect(execution.ready).rejects.toThrow(
    'The worker has version 2 of the protocol, the page version 1',
  )
})

test('[S000-13] says which implementation is missing', async () => {
  const { worker, execution } = open()

  worker.say(readyMessage('count_primes', 'heavy'))

  await expect(execution.ready).rejects.toThrow(
    'The worker does not implement "echo". It implements: count_primes, heavy. Add implement(echo, …) to serveTools([…]).',
  )
})

test('fails a call that cannot be sent, and says that it did not run', async () => {
  const { worker, execution, recorder } = open()
  worker.say(readyMessage('echo'))
  await execution.ready

  // A bad `resources` function can return what the types do not allow.
  const resources = { callback: () => {} } as unknown as Record<string, Blob>
  const settlement = await execution.run(callTo('echo', {}, resources), recorder)

  expect(settlement).toMatchObject({
    kind: 'threw',
    errorKind: 'failed',
    message: expect.stringMatching(/could not be sent .* It did not run\.$/),
  })
  expect(worker.terminations()).toBe(1)
})

test('fails a call whose context cannot be copied, and says where to put it, without quoting it', async () => {
  const { worker, execution, recorder } = open()
  worker.say(readyMessage('echo'))
  await execution.ready

  const context = { save: () => 'secret' }
  const settlement = await execution.run({ ...callTo('echo', {}), context }, recorder)

  expect(settlement).toMatchObject({
    kind: 'threw',
    errorKind: 'failed',
    message:
      "The agent's context cannot be copied to the worker of \"echo\". Keep it plain data, without functions and DOM nodes, or give the tool place 'page'. It did not run.",
    details: { name: 'TypeError' },
  })
  expect(JSON.stringify(settlement)).not.toContain('secret')
})

test('checkTools starts one worker for each host and compares', async () => {
  const workers: FakeWorker[] = []
  const start = () => {
    const worker = createFakeWorker()
    workers.push(worker)
    setTimeout(() => worker.say(readyMessage('echo', 'count_prime')))
    return worker
  }

  await checkTools(createWorkerHost([echo], start))
  await expect(
    checkTools([
      createWorkerHost([echo, countPrimes, forgotten], start),
      createWorkerHost([forgotten], start),
    ]),
  ).rejects.toThrow(
    [
      'echo, count_primes, forgotten: The worker does not implement "count_primes", "forgotten". It implements: echo, count_prime. Add implement(count_primes, …), implement(forgotten, …) to serveTools([…]). Implemented but not declared: count_prime.',
      'forgotten: The worker does not implement "forgotten". It implements: echo, count_prime. Add implement(forgotten, …) to serveTools([…]). Implemented but not declared: echo, count_prime.',
    ].join('\n'),
  )

  expect(workers).toHaveLength(3)
  expect(workers.every((worker) => worker.terminations() === 1)).toBe(true)
})

test('[W18] what a check says of many long names is short', async () => {
  const names = Array.from({ length: 1000 }, (_, i) => `${i}`.padEnd(2000, '-'))
  const worker = createFakeWorker()
  const checked = createWorkerHost([echo], () => worker).check?.()
  worker.say(readyMessage(...names))

  const problem = await checked?.catch((error: unknown) => String(error))
  expect(problem).toContain('Implemented but not declared: 0---')
  expect(problem?.length).toBeLessThan(5000)
})

test('has the types of its tools, and takes the platform’s worker', () => {
  const host = createWorkerHost([echo, countPrimes], () => new Worker('never started'))

  expectTypeOf(host.tools[0]?.name).toEqualTypeOf<'echo' | 'count_primes' | undefined>()
})

const echoOptions = { name: 'echo', description: echo.description, inputSchema: echo.inputSchema }

function open(tool: Tool = echo, clock: FakeClock = fakeClock()) {
  const worker = createFakeWorker()
  const execution = createWorkerHost([tool], () => worker, { clock }).open(tool, { graceMs: 250 })
  return { clock, worker, execution, recorder: createRecorder() }
}

async function running(tool: Tool = echo) {
  const opened = open(tool)
  const { worker, execution, recorder } = opened
  worker.say(readyMessage('echo'))
  const done = execution.run(callTo('echo', { text: 'a' }), recorder)
  await settleDown()
  expect(worker.posted).toHaveLength(1)
  return { ...opened, done }
}

function settledMessage(executionId: string, text: string) {
  return { type: 'settled', executionId, settlement: returned(text) }
}

function returned(text: string) {
  return { kind: 'returned', result: { content: [{ type: 'text', text }] } }
}

import { afterAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../../agent/create-agent.ts'
import type { AgentOptions } from '../../agent/options.ts'
import type { EventOf } from '../../kernel/events.ts'
import { textOf } from '../../kernel/message.ts'
import type { ModelRequest } from '../../model/port.ts'
import { call, type ScriptedPart, say, scriptedModel } from '../../testing/scripted.ts'
import { defineTool, type Tool } from '../definition.ts'
import { node } from '../fixtures/browser-commands.fixtures.ts'
import { faultTool } from '../fixtures/faults.fixtures.ts'
import { watchWorkers } from '../fixtures/watched-workers.fixtures.ts'
import type { ToolSchema } from '../tool-schema.ts'
import { inWorkers } from './in-workers.ts'
import { createWorkerHost } from './worker-host.ts'

const scriptUrl = urlOf(await node.faultTools())
const brokenUrl = urlOf('const = 1')
const wrongImportUrl = urlOf(`import { no } from '${brokenUrl}'`)
const pageUrl = urlOf('<!doctype html>', 'text/html')
const start = () => moduleWorker(scriptUrl)
afterAll(() => {
  for (const url of [scriptUrl, brokenUrl, wrongImportUrl, pageUrl]) URL.revokeObjectURL(url)
})

const notStarted = (why: string) => `The tool could not be started (${why}). It did not run.`
const loadProblem = notStarted(
  "The worker script could not be loaded: check the connection, its URL (404), MIME type and origin (another than the page's needs crossOriginWorker), type: 'module' for a module, that neither it nor what it imports has a syntax error or an import that fails, the page's CSP worker-src, and that it has the page's Cross-Origin-Embedder-Policy if there is one",
)
const crashed = (why: string) => `The tool crashed (${why}). It may have had partial effects.`
const unserialisable = (why: string) =>
  `The result of "fault" cannot be used: the result was not serialisable: ${why}.`

test.for([
  { why: 'does not exist', worker: () => () => moduleWorker('/no/such/script.js') },
  { why: 'is a page', worker: () => () => moduleWorker(pageUrl) },
  { why: 'has a syntax error', worker: () => () => moduleWorker(brokenUrl) },
  {
    why: 'imports a name that is not there',
    worker: () => () => moduleWorker(wrongImportUrl),
  },
  { why: 'is forbidden by the policy of a frame', worker: forbiddenWorker },
])('the script of a worker $why', async ({ worker: make }) => {
  const worker = await make()
  const { end, card, reads, run } = await ask({ worker })

  expect(end).toMatchObject({ outcome: 'failed', errorKind: 'crashed', mayHaveRun: false })
  expect(card).toMatchObject({ status: 'failed', errorKind: 'crashed' })
  expect(reads).toBe(loadProblem)
  expect(run).toEqual(wentOn)
})

interface Row {
  readonly how: string
  readonly tool?: Tool
  readonly outcome?: string
  readonly errorKind?: string
  readonly ended?: 'cooperative' | 'terminated'
  readonly reads: string | RegExp
}

const rows: readonly Row[] = [
  { how: 'throw', errorKind: 'not_found', reads: 'There is no such row.' },
  { how: 'throw 10,000 characters', errorKind: 'failed', reads: /^x{10000}$/ },
  {
    how: 'throw in a timer',
    errorKind: 'crashed',
    reads: crashed('RangeError: Thrown in a timer'),
  },
  { how: 'reject unhandled', errorKind: 'crashed', reads: crashed('Not awaited') },
  {
    how: 'close itself',
    errorKind: 'crashed',
    reads: crashed('The code closed its worker'),
  },
  {
    how: 'loop',
    tool: faultTool({ timeoutMs: 300 }),
    outcome: 'timed_out',
    errorKind: 'timeout',
    ended: 'terminated',
    reads: 'Timed out after 0.3 s and was stopped. It may have had partial effects.',
  },
  {
    how: 'loop',
    tool: faultTool({ maxSilenceMs: 2000, timeoutMs: null }),
    errorKind: 'crashed',
    reads: /^The tool crashed \(The worker gave no sign of life for 2 s\./,
  },
  {
    how: 'never reply',
    tool: faultTool({ timeoutMs: 200 }),
    outcome: 'timed_out',
    errorKind: 'timeout',
    ended: 'terminated',
    reads: 'Timed out after 0.2 s and was stopped. It may have had partial effects.',
  },
  {
    how: 'wait for the signal',
    tool: faultTool({ timeoutMs: 200 }),
    outcome: 'timed_out',
    errorKind: 'timeout',
    ended: 'cooperative',
    reads: 'Timed out after 0.2 s and was stopped. It may have had partial effects.',
  },
  { how: 'reply twice', outcome: 'succeeded', reads: 'first' },
  { how: 'forge', outcome: 'succeeded', reads: 'honest' },
  {
    how: 'return a function',
    errorKind: 'invalid_result',
    reads: unserialisable('a function at rows[0].format is not JSON'),
  },
  {
    how: 'return a symbol',
    errorKind: 'invalid_result',
    reads: unserialisable('a symbol at id is not JSON'),
  },
  {
    how: 'return a WeakMap',
    errorKind: 'invalid_result',
    reads: /the result was not serialisable: /,
  },
  {
    how: 'return a getter that throws',
    errorKind: 'invalid_result',
    reads: /cannot be used: Not today\.$/,
  },
  { how: 'post a function', errorKind: 'failed', reads: /could not be cloned/ },
  { how: 'return a proxy', outcome: 'succeeded', reads: '{"n":1}' },
  {
    how: 'return a BigInt',
    errorKind: 'invalid_result',
    reads: /the result was not serialisable: .* at rows\[0\]\.id/,
  },
  {
    how: 'return a Map',
    errorKind: 'invalid_result',
    reads: /the result was not serialisable: .* at byName/,
  },
  {
    how: 'return a date and no number',
    outcome: 'succeeded',
    reads: '{"date":"1970-01-01T00:00:00.000Z","nan":null}',
  },
  {
    how: 'return a cycle',
    errorKind: 'invalid_result',
    reads: /the result was not serialisable: /,
  },
  {
    how: 'return 50 MB',
    outcome: 'succeeded',
    reads: /^x+\n\[… \d+ characters cut …\]\nx+\n\[49\.0 MB of the result were cut out of it\.\]$/,
  },
  { how: 'flood the library', outcome: 'succeeded', reads: 'flooded' },
  {
    how: 'flood past the library',
    errorKind: 'crashed',
    reads: crashed(
      'The worker posted more than the page can take: 2000 messages at once, or fewer big ones',
    ),
  },
  {
    how: 'flood with strange messages',
    errorKind: 'crashed',
    reads: crashed(
      'The worker posted more than the page can take: 2000 messages at once, or fewer big ones',
    ),
  },
]

test.for(rows.map((row) => [row.how, row] as const))(
  'a call whose code has to %s',
  async ([, row]) => {
    const { tool, outcome = 'failed', errorKind, ended } = row

    // Code that listens may have to wait for a core; code that does not is waited for in vain.
    const options = { abortGraceMs: ended === 'cooperative' ? 5000 : 50 }
    const { end, card, reads, run, started } = await ask({ tool, how: row.how, options })

    const isError = outcome !== 'succeeded'
    const seen = {
      isError,
      mayHaveRun: true,
      ...(errorKind && { errorKind }),
      ...(ended && { how: ended }),
    }
    expect(end).toMatchObject({ ...seen, outcome })
    expect(card).toMatchObject({ ...seen, status: outcome, hasEnded: true, result: end?.result })
    if (typeof row.reads === 'string') expect(reads).toBe(row.reads)
    else expect(reads).toMatch(row.reads)
    expect(reads?.length).toBeLessThanOrEqual(10_000)
    expect(run).toEqual(wentOn)
    expect(started).toBe(1)
  },
)

test('a message that cannot be read', async () => {
  // Chromium refuses no data that a worker posts to its own page, so the test dispatches the event itself.
  const { end, card, reads, run } = await ask({
    how: 'never reply',
    onUpdate: (worker) => worker.dispatchEvent(new MessageEvent('messageerror')),
  })

  expect(end).toMatchObject({ outcome: 'failed', errorKind: 'crashed', mayHaveRun: true })
  expect(card).toMatchObject({ status: 'failed', errorKind: 'crashed' })
  expect(reads).toBe(crashed('A message of the worker could not be read'))
  expect(run).toEqual(wentOn)
})

test('two tools of one name are refused before anything runs', () => {
  const tools = [faultTool(), faultTool()]

  expect(() => inWorkers(tools, start)).toThrow(TypeError)
  const [one, other] = [
    createWorkerHost([faultTool()], start),
    createWorkerHost([faultTool()], start),
  ]
  expect(() => createAgent({ model: scriptedModel(), tools: [one, other] })).toThrow(TypeError)
})

test.for(['nothing_like_it', 'constructor', '__proto__', 'toString'])(
  'a tool that does not exist: %s',
  async (name) => {
    const { end, card, reads, run, started } = await ask({ calls: [call(name, {})] })

    expect(end).toMatchObject({ outcome: 'failed', errorKind: 'not_found', mayHaveRun: false })
    expect(card).toMatchObject({ status: 'failed', errorKind: 'not_found', toolName: name })
    expect(reads).toBe(`No tool named "${name}". Available: fault. It did not run.`)
    expect(run).toEqual(wentOn)
    expect(started).toBe(0)
  },
)

test('arguments that do not fit', async () => {
  const { end, card, reads, run } = await ask({ calls: [call('fault', { how: 7 })] })

  expect(end).toMatchObject({ outcome: 'failed', errorKind: 'invalid_args', mayHaveRun: false })
  expect(card).toMatchObject({ status: 'failed', errorKind: 'invalid_args' })
  expect(reads).toMatch(/^Invalid arguments: how: .*expected string.* It did not run\.$/)
  expect(run).toEqual(wentOn)
})

test('the same wrong arguments again and again end the run', async () => {
  const again = [call('fault', { how: 7 })]
  const { end, run } = await ask({ calls: again, later: [again, again, again, again, again] })

  expect(end).toMatchObject({ outcome: 'failed', errorKind: 'invalid_args' })
  expect(run).toMatchObject({ reason: 'loop_detected' })
})

test.for([
  {
    how: 'throws',
    validate: () => {
      throw new Error('No such rule.')
    },
    reads:
      'The arguments could not be checked: the schema of "fault" failed (No such rule.). It did not run.',
  },
  {
    how: 'takes for ever',
    validate: () => new Promise<never>(() => {}),
    reads: /^The arguments could not be checked: .*0\.1 s.* It did not run\.$/,
  },
])('a schema that $how', async ({ validate, reads: text }) => {
  const { end, card, reads, run } = await ask({
    tool: withValidation(validate),
    how: 'return',
    options: { hookTimeoutMs: 100 },
  })

  expect(end).toMatchObject({ outcome: 'failed', errorKind: 'invalid_args', mayHaveRun: false })
  expect(card).toMatchObject({ status: 'failed' })
  expect(reads).toMatch(text)
  expect(run).toEqual(wentOn)
})

test('40 calls in one answer: few at once, and no more than one answer may make', async () => {
  const calls = Array.from({ length: 40 }, (_, n) => call('fault', { how: 'return', n }))

  const { ends, texts, run, most, started } = await ask({
    calls,
    options: { maxConcurrency: 4, maxCallsPerTurn: 30 },
  })

  expect(ends.filter(({ outcome }) => outcome === 'succeeded')).toHaveLength(30)
  const beyond = ends.filter(({ errorKind }) => errorKind === 'limit')
  expect(beyond).toHaveLength(10)
  expect(beyond.every(({ mayHaveRun }) => !mayHaveRun)).toBe(true)
  expect(texts.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 'done'))
  for (const text of texts.slice(30)) expect(text).toMatch(/^Not run: .* reached\.$/)
  expect(texts).toHaveLength(40)
  expect(most).toBeLessThanOrEqual(4)
  expect(started).toBe(30)
  expect(run).toEqual(wentOn)
})

test('[W19] 200 calls in one answer: all go well, few start at once, and the page has its turns', async () => {
  const calls = Array.from({ length: 200 }, (_, n) => call('fault', { how: 'return', n }))
  const booting = new Set<Worker>()
  let lastReadyAt = performance.now()
  // One more may start whenever none gets ready for a second.
  let mayStart = 8
  const tooSoon: number[] = []
  const inTurn = { starts: 0, most: 0 }
  const timer = setInterval(() => (inTurn.starts = 0))
  onTestFinished(() => clearInterval(timer))
  const worker = () => {
    const one = start()
    booting.add(one)
    if (booting.size > mayStart) {
      mayStart += 1
      const waitedMs = performance.now() - lastReadyAt
      // Clocks are rounded.
      if (waitedMs < 990) tooSoon.push(waitedMs)
    }
    inTurn.starts += 1
    inTurn.most = Math.max(inTurn.most, inTurn.starts)
    const noteReady = () => {
      booting.delete(one)
      lastReadyAt = performance.now()
    }
    one.addEventListener('message', noteReady, { once: true })
    return one
  }

  const { ends, texts, run, most, started } = await ask({
    calls,
    worker,
    options: { maxConcurrency: 64, maxCallsPerTurn: 200 },
  })

  expect(ends.filter(({ outcome }) => outcome === 'succeeded')).toHaveLength(200)
  expect(new Set(texts)).toEqual(new Set(['done']))
  expect(started).toBe(200)
  expect(most).toBeLessThanOrEqual(64)
  expect(tooSoon).toEqual([])
  // Those that may start, and one for each of them that is ready already.
  expect(inTurn.most).toBeLessThanOrEqual(2 * mayStart)
  expect(run).toEqual(wentOn)
})

test('one of several calls fails: the others continue, and all are read in their order', async () => {
  const hows = ['return', 'throw', 'reject unhandled', 'forge']
  const calls = hows.map((how) => call('fault', { how }))

  const { cards, texts, run } = await ask({ calls })

  expect(texts).toEqual(['done', 'There is no such row.', crashed('Not awaited'), 'honest'])
  const statuses = cards.map((card) => card?.status)
  expect(statuses).toEqual(['succeeded', 'failed', 'failed', 'succeeded'])
  expect(run).toEqual(wentOn)
})

test('code that changes its input, and returns frozen objects with getters', async () => {
  const { card, reads, run } = await ask({ how: 'change its input' })

  expect(card).toMatchObject({ status: 'succeeded', args: { how: 'change its input' } })
  expect(reads).toBe('{"how":"changed","account":{"owner":"Ada"}}')
  expect(run).toEqual(wentOn)
})

const wentOn: unknown = expect.objectContaining({ reason: 'stop', text: 'I have read it.' })

interface Question {
  readonly how?: string
  readonly tool?: Tool | undefined
  readonly worker?: () => Worker
  readonly calls?: readonly ScriptedPart[]
  /** What the model answers before its last text. */
  readonly later?: readonly (readonly ScriptedPart[])[]
  readonly options?: Partial<AgentOptions>
  readonly onUpdate?: (worker: Worker) => void
}

/** Lets a model call a tool in a worker, read the result and answer with a last text. No worker may be left. */
async function ask(question: Question) {
  const { how = 'return', tool = faultTool(), worker = start, later = [], onUpdate } = question
  const { calls = [call('fault', { how })], options } = question
  const watch = watchWorkers()
  const model = scriptedModel(calls, ...later, [say('I have read it.')])
  const agent = createAgent({
    model,
    tools: createWorkerHost([tool], () => watch.spawn(worker)),
    abortGraceMs: 50,
    maxTurns: null,
    ...options,
  })
  onTestFinished(agent.dispose)
  const ends: EventOf<'tool_execution_end'>[] = []
  agent.subscribe((event) => {
    if (event.type === 'tool_execution_end') ends.push(event)
    if (event.type === 'tool_execution_update') for (const one of watch.alive()) onUpdate?.(one)
  })

  const run = await agent.prompt('Go.')

  expect(watch.remains()).toMatchObject({ workers: 0, workerListeners: 0, documentListeners: 0 })
  const texts = resultsIn(model.requests[1])
  const { toolCalls } = agent.getState()
  const cards = callsIn(model.requests[1]).map((id) => toolCalls.get(id))
  const { most, started } = watch
  return {
    run,
    ends,
    cards,
    texts,
    end: ends[0],
    card: cards[0],
    reads: texts[0],
    most: most(),
    started: started(),
  }
}

/** What the model reads of its calls, in order. */
function resultsIn(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).flatMap((message) =>
    message.role === 'toolResult' ? [textOf(message.content)] : [],
  )
}

function urlOf(text: string, type = 'text/javascript'): string {
  return URL.createObjectURL(new Blob([text], { type }))
}

function callsIn(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).flatMap((message) =>
    message.role === 'toolResult' ? [message.toolCallId] : [],
  )
}

function moduleWorker(url: string): Worker {
  return new Worker(url, { type: 'module' })
}

/** Starts workers from a frame whose policy forbids them. */
async function forbiddenWorker(): Promise<() => Worker> {
  const frame = document.createElement('iframe')
  frame.srcdoc = `<meta http-equiv="content-security-policy" content="worker-src 'none'">`
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
  document.body.append(frame)
  onTestFinished(() => frame.remove())
  await loaded
  const page = frame.contentDocument?.defaultView
  if (!page) throw new Error('The frame has no page.')
  return () => new page.Worker(scriptUrl, { type: 'module' })
}

/** The tool with the faulty schema. */
function withValidation(validate: () => Promise<never>): Tool {
  const schema = z.object({ how: z.string() })
  const inputSchema: ToolSchema = { '~standard': { ...schema['~standard'], validate } }
  return defineTool({ name: 'fault', description: 'Has a bad schema.', inputSchema })
}

import { expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { checkArgs } from '../check-args.ts'
import { defineTool } from '../definition.ts'
import { callTo, createRecorder, settleDown } from '../fixtures/calls.fixtures.ts'
import { countPrimes, echo } from '../fixtures/tools.fixtures.ts'
import { ToolError } from '../tool-error.ts'
import type { ToolContext } from './context.ts'
import { createCredit } from './credit.ts'
import { implement } from './implement.ts'
import { runTool } from './run-tool.ts'

test('[L7] gives the code the input that the schema returned', async () => {
  const { settlement } = await run(({ n }) => ({ count: n }), {})

  expect(settlement).toMatchObject({ result: { structuredContent: { count: 10 } } })
})

test('loads code that is a module', async () => {
  const { settlement } = await run(
    () => Promise.resolve({ default: ({ n }: { n: number }) => ({ count: n + 1 }) }),
    { n: 1 },
  )

  expect(settlement).toMatchObject({ result: { structuredContent: { count: 2 } } })
})

test('says so when the code cannot be loaded', async () => {
  const { settlement } = await run(
    () => Promise.reject(new TypeError('Failed to fetch module')),
    {},
  )

  expect(settlement).toMatchObject({
    kind: 'threw',
    errorKind: 'failed',
    message: 'Failed to fetch module',
  })
})

test('[S000-12] [S003-4] refuses input that does not fit: names place and problem, not the value', async () => {
  const { settlement, recorder } = await run(() => ({ count: 1 }), { n: 'secret' })

  expect(settlement).toEqual({
    kind: 'threw',
    errorKind: 'invalid_args',
    message: 'Invalid arguments: n: Invalid input: expected number, received string',
  })
  expect(recorder.notices).toEqual([])
})

test('[S003-4] keeps the message about bad input short', async () => {
  const strict = defineTool({
    name: 'strict',
    description: '',
    inputSchema: z.object({ list: z.array(z.number()) }),
  })

  const check = await checkArgs(strict, { list: Array(1000).fill('no') })

  expect(check).toEqual({
    ok: false,
    message: expect.stringMatching(/^Invalid arguments: list\.0: .*…$/),
  })
  expect(check).toHaveProperty('message.length', 1000)
})

test('survives a schema that throws', async () => {
  const broken = defineTool({
    name: 'broken',
    description: '',
    inputSchema: z.object({ a: z.string() }).refine(() => {
      throw new Error('no regex')
    }),
  })

  expect(await checkArgs(broken, { a: '' })).toEqual({
    ok: false,
    message: 'The arguments could not be checked: the schema of "broken" failed (no regex).',
  })
})

test('[S001-4] [S003-7] [S003-8] passes on what the code reports, as plain data', async () => {
  const { recorder } = await run((_, context) => {
    context.onUpdate({ content: 'text', details: { at: new Date(0) } })
    context.onProgress('half')
    context.onProgress({ value: Number.NaN, total: 2, status: 'fetching' })
    context.log('a', { b: 1 }, 2n, undefined)
    context.log('x'.repeat(3000))
    context.custom('drawn', [1])
    return { count: 0 }
  }, {})

  expect(recorder.notices).toEqual([
    { type: 'running' },
    {
      type: 'update',
      partial: {
        content: [{ type: 'text', text: 'text' }],
        details: { at: '1970-01-01T00:00:00.000Z' },
      },
    },
    { type: 'progress', progress: { message: 'half' } },
    { type: 'progress', progress: { total: 2, status: 'fetching' } },
    {
      type: 'log',
      lines: [
        { level: 'info', text: 'a {"b":1} 2 undefined', t: 0 },
        { level: 'info', text: expect.stringMatching(/^x{1999}…$/), t: 0 },
      ],
      dropped: 0,
    },
    { type: 'custom', name: 'drawn', data: [1], durable: false },
  ])
})

test('[S001-3] passes on every status of a tool', async () => {
  const { recorder } = await run((_, { onProgress }) => {
    for (const status of ['starting', 'fetching', 'processing']) onProgress({ status })
    onProgress({ status: 'complete', message: 'All read.' })
    return { count: 0 }
  }, {})

  expect(recorder.notices.slice(1)).toEqual([
    { type: 'progress', progress: { status: 'starting' } },
    { type: 'progress', progress: { status: 'fetching' } },
    { type: 'progress', progress: { status: 'processing' } },
    { type: 'progress', progress: { status: 'complete', message: 'All read.' } },
  ])
})

test('[S000-16] [S003-7] reports need no answer: each call of them returns at once', async () => {
  let returned: unknown[] = []
  await run((_, { onUpdate, onProgress, log, custom }) => {
    returned = [onUpdate({ content: 'a' }), onProgress('a'), log('a'), custom('a', 1)]
    return { count: 0 }
  }, {})

  expect(returned).toEqual([undefined, undefined, undefined, undefined])
})

test('[S001-10] needs no special case for a tool that asks the user to sign in', async () => {
  const { settlement } = await run(
    () => ToolError.failed('Not signed in. Ask the user to sign in first.'),
    {},
  )

  expect(settlement).toMatchObject({
    kind: 'threw',
    errorKind: 'failed',
    message: 'Not signed in. Ask the user to sign in first.',
  })
})

test('cuts updates to size', async () => {
  const { recorder } = await run((_, context) => {
    context.onUpdate({ content: 'x'.repeat(2_000_000), details: ['x'.repeat(2_000_000)] })
    return { count: 0 }
  }, {})

  expect(recorder.updates()[0]).toMatch(
    /^x+\n… 1\.0 MB cut …\nx+\n\[1\.0 MB of the result were cut out of it\.\]$/,
  )
  expect(recorder.notices[1]).toHaveProperty('partial.details', {
    dropped: ['details was 2.0 MB, more than 1.0 MB'],
  })
})

test('throws a TypeError at the code that reports what is not JSON', async () => {
  const misuse: ((context: ToolContext) => void)[] = [
    ({ custom }) => custom('a', new Map()),
    ({ custom }) => custom('a', 'x'.repeat(1_000_001)),
    ({ onUpdate }) => onUpdate({ details: 1n }),
    // @ts-expect-error: content is text or blocks
    ({ onUpdate }) => onUpdate({ content: 12 }),
    // @ts-expect-error: what it says would be lost
    ({ onUpdate }) => onUpdate('half'),
    // @ts-expect-error: what it says would be lost
    ({ onUpdate }) => onUpdate([{ type: 'text', text: 'half' }]),
    // @ts-expect-error: what it says would be lost
    ({ onUpdate }) => onUpdate({ text: 'half' }),
    // @ts-expect-error: what it says would be lost
    ({ onProgress }) => onProgress(50),
    // @ts-expect-error: what it says would be lost
    ({ onProgress }) => onProgress({ text: 'half' }),
    // @ts-expect-error: a status is a word
    ({ onProgress }) => onProgress({ status: 7 }),
    // @ts-expect-error: a message is a text
    ({ onProgress }) => onProgress({ message: ['half'], value: 1 }),
    // @ts-expect-error: a value is a number
    ({ onProgress }) => onProgress({ status: 'reading', value: '50' }),
    // @ts-expect-error: it says nothing
    ({ onProgress }) => onProgress({ status: null }),
    // @ts-expect-error: it says nothing
    ({ onProgress }) => onProgress({ status: undefined }),
  ]

  for (const misused of misuse) {
    const { settlement } = await run((_, context) => {
      misused(context)
      return { count: 0 }
    }, {})
    expect(settlement).toMatchObject({ kind: 'threw', details: { name: 'TypeError' } })
  }
})

test('[S003-10] yields to other tasks, and ends there once the call is aborted', async () => {
  const controller = new AbortController()
  let rounds = 0
  const stopped = run(
    async (_, context) => {
      for (;;) {
        rounds++
        await context.yield()
      }
    },
    {},
    controller.signal,
  )
  setTimeout(() => controller.abort(new Error('stop it')), 10)

  expect((await stopped).settlement).toMatchObject({ kind: 'threw', message: 'stop it' })
  expect(rounds).toBeGreaterThan(1)
})

test('starts no code that was stopped while its input was checked', async () => {
  let ran = false
  const { settlement, recorder } = await run(
    () => {
      ran = true
      return { count: 0 }
    },
    {},
    AbortSignal.abort(new Error('stop it')),
  )

  expect(settlement).toMatchObject({ kind: 'threw', message: 'stop it' })
  expect(recorder.notices).toEqual([])
  expect(ran).toBe(false)
})

test('starts no code that was stopped while it was loaded', async () => {
  const controller = new AbortController()
  let ran = false
  const code = () => {
    controller.abort(new Error('stop it'))
    return Promise.resolve({
      default: () => {
        ran = true
        return { count: 0 }
      },
    })
  }

  const { settlement } = await run(code, {}, controller.signal)

  expect(settlement).toMatchObject({ kind: 'threw', message: 'stop it' })
  expect(ran).toBe(false)
})

test('[W9] [I20] waits for the page to take a flood, but not once the call is stopped', async () => {
  const controller = new AbortController()
  const recorder = createRecorder()
  let isDone = false
  const done = runTool(
    implement(echo, (_, { onProgress }) => {
      for (let i = 0; i < 300; i++) onProgress(`step ${i}`)
    }),
    {
      request: callTo('echo', { text: '' }),
      listener: recorder,
      signal: controller.signal,
      clock: fakeClock(),
      credit: createCredit(),
    },
  ).finally(() => (isDone = true))
  await settleDown()

  expect(isDone).toBe(false)
  expect(recorder.notices).toHaveLength(1 + 8 + 16)
  controller.abort(new Error('stop it'))
  expect(await done).toMatchObject({ kind: 'returned' })
})

test('drops what the code reports after it has ended', async () => {
  let late: ToolContext | undefined
  const { recorder } = await run((_, context) => {
    late = context
    return { count: 0 }
  }, {})

  late?.onUpdate({ content: 'late' })

  expect(recorder.notices).toEqual([{ type: 'running' }])
})

test('[S000-15] [S001-13] [S003-2] gives the code the id and name of its call beside its input', async () => {
  let seen: unknown
  const implementation = implement(echo, (_, { toolCallId, toolName, attempt, resources }) => {
    seen = { toolCallId, toolName, attempt, resources }
  })
  const resources = { file: new Blob(['a']) }

  await runTool(implementation, {
    request: { ...callTo('echo', { text: '' }, resources), attempt: 2 },
    listener: createRecorder(),
    signal: new AbortController().signal,
    clock: fakeClock(),
  })

  expect(seen).toEqual({ toolCallId: 'c1', toolName: 'echo', attempt: 2, resources })
})

type Code = Parameters<typeof implement<typeof countPrimes, never>>[1]

async function run(
  code: (...values: Parameters<Code>) => unknown,
  input: { readonly [key: string]: string | number },
  signal: AbortSignal = new AbortController().signal,
) {
  const recorder = createRecorder()
  const settlement = await runTool(
    { tool: countPrimes, code },
    {
      request: callTo('count_primes', input),
      listener: recorder,
      signal,
      clock: fakeClock(),
    },
  )
  return { settlement, recorder }
}

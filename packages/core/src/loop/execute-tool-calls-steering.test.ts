import { expect, test } from 'vitest'
import { catchReports, pageTools } from '../agent/agent.fixtures.ts'
import type { QueuedInput, ToolExecution } from '../kernel/events.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { calling, executed, resultsOf, watchedSignal } from './loop.fixtures.ts'

const skipped = 'Not run: the user sent a new message.'
const text = (said: string): QueuedInput => [{ type: 'text', text: said }]

/** Tools `a`, `b`, `c`, and steering that comes at the n-th question for it. Records everything in order. */
function talkative(words: readonly (readonly string[])[]) {
  const environment = createManualEnvironment()
  const happened: string[] = []
  const code = ({ toolName }: { readonly toolName: string }) => {
    happened.push(toolName)
    return 'fine'
  }
  let asked = 0
  const getSteeringMessages = async () => {
    happened.push('asked')
    const said = words[asked] ?? []
    asked += 1
    return said.map(text)
  }
  const tools = pageTools(environment, { a: code, b: code, c: code })
  return { environment, tools, getSteeringMessages, happened }
}

test('[S000-1] [S000-9] asks for steering once, after all calls, and returns it undelivered', async () => {
  const { environment, tools, getSteeringMessages, happened } = talkative([['Stop.', 'Now.']])
  const { done, eventNames } = executed(
    { message: calling('a', 'b', 'c'), tools, getSteeringMessages },
    environment,
  )

  const { steeringMessages, toolResults } = await done

  expect(happened).toEqual(['a', 'b', 'c', 'asked'])
  expect(steeringMessages).toEqual([text('Stop.'), text('Now.')])
  expect(toolResults.map(({ isError }) => isError)).toEqual([false, false, false])
  expect(eventNames().at(-1)).toBe('message_end C')
})

test('[S000-9] returns null without steering, or without a function that gives it', async () => {
  const { environment, tools, getSteeringMessages, happened } = talkative([])
  const asking = executed({ message: calling('a'), tools, getSteeringMessages }, environment)
  const silent = executed({ message: calling('b'), tools }, environment)

  expect((await asking.done).steeringMessages).toBeNull()
  expect((await silent.done).steeringMessages).toBeNull()
  expect(happened.filter((what) => what === 'asked')).toHaveLength(1)
})

test('[S000-9] asks also when the answer has no calls', async () => {
  const { environment, getSteeringMessages } = talkative([['Hello?']])
  const { done } = executed({ message: { content: [] }, getSteeringMessages }, environment)

  expect(await done).toMatchObject({ toolResults: [], steeringMessages: [text('Hello?')] })
})

test.for<
  readonly [ToolExecution, words: readonly (readonly string[])[], happened: readonly string[]]
>([
  ['sequential', [], ['a', 'asked', 'b', 'asked', 'c', 'asked']],
  ['sequential', [['Stop.'], ['Really.']], ['a', 'asked', 'asked']],
  ['sequential', [[], ['Stop.']], ['a', 'asked', 'b', 'asked', 'asked']],
  [{ type: 'batched', size: 2 }, [], ['a', 'b', 'asked', 'c', 'asked']],
  [{ type: 'batched', size: 2 }, [['Stop.']], ['a', 'b', 'asked', 'asked']],
])(
  '[S003-11] [I16] with %j and steering at question %j, this happens: %j',
  async ([toolExecution, words, expected]) => {
    const { environment, tools, getSteeringMessages, happened } = talkative(words)
    const { done } = executed(
      { message: calling('a', 'b', 'c'), tools, getSteeringMessages, toolExecution },
      environment,
    )

    const results = await resultsOf(done)

    const ran = ['A', 'B', 'C'].map((id) =>
      happened.includes(id.toLowerCase()) ? `${id}: fine` : `${id}!: ${skipped}`,
    )
    expect(happened).toEqual(expected)
    expect(results).toEqual(ran)
    const said = words.flat().map(text)
    expect((await done).steeringMessages).toEqual(said.length > 0 ? said : null)
  },
)

test('[S000-9] [I15] steering that fails loses no result, and is reported', async () => {
  const reports = catchReports()
  const { environment, tools, happened } = talkative([])
  const getSteeringMessages = () => {
    happened.push('asked')
    throw new Error('The box is locked.')
  }
  const { done } = executed(
    { message: calling('a', 'b'), tools, getSteeringMessages, toolExecution: 'sequential' },
    environment,
  )

  expect(await resultsOf(done)).toEqual(['A: fine', 'B: fine'])
  expect((await done).steeringMessages).toBeNull()
  expect(happened).toEqual(['a', 'asked', 'b', 'asked'])
  expect(reports).toEqual(Array(2).fill(new Error('The box is locked.')))
})

test.for([
  '"Stop."',
  '[["Stop."]]',
  '[[{"type":"text","text":" "}]]',
  '[{"role":"assistant","content":"Stop."}]',
  '[{"role":"user","content":{}}]',
])('[S000-9] steering that says nothing is reported and skips nothing: %s', async (json) => {
  const reports = catchReports()
  const { environment, tools } = talkative([])
  // Values that a program without types may return.
  const said: readonly QueuedInput[] = JSON.parse(json)
  const { done } = executed(
    {
      message: calling('a', 'b'),
      tools,
      getSteeringMessages: () => said,
      toolExecution: 'sequential',
    },
    environment,
  )

  expect(await resultsOf(done)).toEqual(['A: fine', 'B: fine'])
  expect((await done).steeringMessages).toBeNull()
  expect(reports).toEqual(Array(2).fill(expect.any(TypeError)))
})

test('[S000-9] steering may be messages, as the specification has them', async () => {
  const { environment, tools } = talkative([])
  const said = [
    { role: 'user', content: 'Stop.' },
    { role: 'user', content: text('Now.') },
    'Please.',
  ] as const
  const getSteeringMessages = () => said
  const { done } = executed({ message: calling('a'), tools, getSteeringMessages }, environment)

  expect(await done).toMatchObject({
    steeringMessages: [text('Stop.'), text('Now.'), text('Please.')],
  })
})

test('[S000-9] steering that can be read counts beside what cannot', async () => {
  const reports = catchReports()
  const { environment, tools } = talkative([])
  const said: readonly QueuedInput[] = JSON.parse('[["Stop."],[{"type":"text","text":"Now."}]]')
  const getSteeringMessages = () => said
  const { done } = executed({ message: calling('a'), tools, getSteeringMessages }, environment)

  expect(await done).toMatchObject({ steeringMessages: [text('Now.')] })
  expect(reports).toEqual([expect.any(TypeError)])
})

test('[S000-9] [I25] steering that never comes is waited for as long as a hook', async () => {
  const reports = catchReports()
  const { environment, tools } = talkative([])
  const getSteeringMessages = () => new Promise<never>(() => {})
  const { done } = executed(
    { message: calling('a'), tools, getSteeringMessages, hookTimeoutMs: 500 },
    environment,
  )
  await quiet()
  environment.clock.advance(500)

  expect((await done).steeringMessages).toBeNull()
  expect(reports).toEqual([new Error('It took longer than 0.5 s.')])
})

test('[S000-9] between two calls it is waited for as long as a hook, and late steering is not lost', async () => {
  const reports = catchReports()
  const { environment, tools } = talkative([])
  let say = (_: readonly QueuedInput[]): void => {}
  let asked = 0
  const getSteeringMessages = () => {
    asked += 1
    return asked === 1 ? new Promise<readonly QueuedInput[]>((resolve) => (say = resolve)) : []
  }
  const { done, eventNames } = executed(
    {
      message: calling('a', 'b'),
      tools,
      getSteeringMessages,
      toolExecution: 'sequential',
      endOrder: 'completion',
    },
    environment,
  )
  await quiet()
  const whileAsking = eventNames().at(-1)
  environment.clock.advance(10_000)
  say([text('Sorry, I was away.')])

  expect(whileAsking).toBe('tool_execution_end A')
  expect(await resultsOf(done)).toEqual(['A: fine', 'B: fine'])
  expect((await done).steeringMessages).toEqual([text('Sorry, I was away.')])
  expect(reports).toEqual([new Error('It took longer than 10 s.')])
})

test('[I20] [I25] an abort ends the question, and earlier steering is returned', async () => {
  const { environment, tools } = talkative([])
  const { signal, abort, listeners } = watchedSignal()
  let asked = 0
  const getSteeringMessages = () => {
    asked += 1
    return asked === 1 ? [text('Hurry.')] : new Promise<never>(() => {})
  }
  const { done } = executed(
    { message: calling('a', 'b'), tools, getSteeringMessages, signal, toolExecution: 'sequential' },
    environment,
  )
  await quiet()
  abort()

  expect((await done).steeringMessages).toEqual([text('Hurry.')])
  expect(await resultsOf(done)).toEqual(['A: fine', `B!: ${skipped}`])
  expect(asked).toBe(2)
  expect(listeners()).toBe(0)
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import { quiet } from '../runtime/environment.fixtures.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { catchReports, watchedAgent } from './agent.fixtures.ts'
import { createAgent } from './create-agent.ts'

// JavaScript lets an app pass anything. These are the methods of an agent as plain JavaScript sees them.
type Given = {
  readonly [Name in (typeof names)[number]]: (...given: readonly unknown[]) => unknown
}

const names = [
  ...['prompt', 'continue', 'regenerate', 'steer', 'followUp', 'takeQueued', 'addToolResult'],
  ...['respondToApproval', 'moveHead', 'cancelTool', 'retryTool', 'configure', 'subscribe'],
  ...['events', 'redact', 'takeOver'],
] as const

const picking = inClient([
  defineTool({ name: 'pick', description: 'x', place: 'client', inputSchema: z.object({}) }),
])
const text = [{ type: 'text', text: 'Later.' }]
const queued = { queue: 'followUp', index: 0, content: text }
const circle: unknown[] = []
circle.push(circle)

const noOptions = [null, 5, 'Go.', [], () => {}]
const noInput = [undefined, null, 5, true, {}, [null], { role: 'user' }, () => {}]
const ofRun = [...noOptions, { signal: 'x' }, { signal: null }, { signal: {} }]
const ofOutput = [{ output: null }, { output: 5 }, { output: {}, maxRepairs: '2' }]
const output = { type: 'object' }
const partly = [
  { output, onPartial: 5 },
  { output, onPartial: 'x' },
]
const asked = [...ofRun, ...ofOutput, ...partly]
const ids = [undefined, null, 5, {}, [], Symbol('x')]
const noFunction = [null, 5]

const wrong: { readonly [Name in keyof Given]: readonly (readonly unknown[])[] } = {
  prompt: [
    ...noInput.map((one) => [one]),
    ...[...asked, { after: 5 }, { after: Symbol('x') }].map((one) => ['Go.', one]),
  ],
  continue: asked.map((one) => [one]),
  regenerate: asked.map((one) => [one]),
  steer: noInput.map((one) => [one]),
  followUp: noInput.map((one) => [one]),
  takeQueued: [
    ...[undefined, ...noOptions, {}, { queue: 'followUp' }, { ...queued, queue: 'other' }],
    ...[
      { ...queued, queue: 'constructor' },
      { ...queued, queue: null },
    ],
    ...[undefined, null, '0', -1, 0.5, Number.NaN].map((index) => ({ ...queued, index })),
    ...[undefined, null, 5, {}, [null], 1n, circle].map((content) => ({ ...queued, content })),
    ...['followUp', 'other', 5].map((to) => ({ ...queued, to })),
  ].map((one) => [one]),
  addToolResult: [
    ...ids.map((one) => [one, 'x']),
    ...[...noOptions, { isError: 5 }, { toolName: 5 }, { toolName: Symbol('x') }].map((one) => [
      ...['call_1', 'x', one],
    ]),
    ...[() => {}, Symbol('x'), 1n, circle].map((one) => ['call_1', one]),
  ],
  respondToApproval: [
    ...ids.map((one) => [one, { decision: 'approve', argsDigest: 'x' }]),
    ...[undefined, null, 5, {}].map((one) => ['call_1', one]),
  ],
  moveHead: [undefined, 5, {}, [], Symbol('x')].map((one) => [one]),
  cancelTool: [],
  retryTool: [
    ...ids.map((one) => [one]),
    ...[...ofRun, { args: 5 }, { args: null }, { toolName: Symbol('x') }].map((one) => [
      ...['call_1', one],
    ]),
  ],
  configure: [
    ...[undefined, ...noOptions, { tools: 5 }, { tools: 'x' }, { tools: [null] }],
    ...[{ tools: [5] }, { tools: { open: 1 } }, { model: null }, { model: 5 }, { hooks: null }],
    ...[{ hooks: 5 }, { hooks: [null] }, { system: 5 }, { system: {} }],
    ...noFunction.flatMap((one) => [
      ...[{ hooks: { onUserPromptSubmit: one } }, { hooks: [{}, { beforeToolCall: one }] }],
      ...[{ hooks: { afterToolCall: one } }, { hooks: { transformContext: one } }],
    ]),
    ...[{ budget: 5 }, { budget: 'x' }, { retry: 5 }, { loopDetection: 5 }, { compaction: 5 }],
    ...[{ toolExecution: 5 }, { maxTurns: '5' }],
    ...[{ updateIntervalMs: 'x' }, { resume: 5 }, { toolMode: null }, { steeringMode: 'one' }],
  ].map((one) => [one]),
  subscribe: [
    ...[undefined, null, 5, {}, 'x'].map((one) => [one]),
    ...[...noOptions, { endOrder: 'calls' }, { endOrder: 5 }].map((one) => [() => {}, one]),
  ],
  events: [
    ...noOptions,
    ...[{ signal: 5 }, { signal: null }, { after: 'x' }, { after: null }],
    ...[{ after: 0.5 }, { after: Number.NaN }],
  ].map((one) => [one]),
  redact: ids.map((one) => [one]),
  takeOver: [],
}

const raw = /Cannot |is not (a function|iterable|defined)|argument must be|serialize|circular/

const rows = names.flatMap((name) =>
  wrong[name].map((given) => [name, shown(given), given] as const),
)

test.for(rows)('%s(%s) is refused in a sentence, and nothing is written', async (row) => {
  const [name, , given] = row
  const reports = catchReports()
  const { agent, events } = await waitingAgent()
  const before = events.length

  const thrown = await refusalOf(agent, name, given)

  expect(thrown).toBeInstanceOf(Error)
  const { message } = thrown as Error
  expect(message).not.toMatch(raw)
  expect(message).toMatch(/^\w.* .*\.$/s)
  await quiet()
  expect(events.slice(before)).toEqual([])
  expect(reports).toEqual([])
})

test.for(
  rows.filter(([name]) => name === 'configure').map(([, what, [given]]) => [what, given] as const),
)('createAgent refuses the options of configure(%s)', ([, given]) => {
  const model = scriptedModel()
  const options: unknown = typeof given === 'object' && given ? { model, ...given } : given
  const create: (options: never) => unknown = createAgent
  expect(() => create((Array.isArray(given) ? given : options) as never)).toThrow(
    /^(?!.*(Cannot |is not (a function|iterable))).*\.$/s,
  )
})

test.for([
  ['prompt', ['Go.']],
  ['continue', []],
  ['regenerate', []],
  ['steer', ['Go.']],
  ['followUp', ['Go.']],
  ['takeQueued', [queued]],
  ['addToolResult', ['call_1', 'x']],
  ['respondToApproval', ['call_1', { decision: 'approve', argsDigest: 'x' }]],
  ['moveHead', [null]],
  ['retryTool', ['call_1']],
  ['configure', [{}]],
  ['redact', ['message_1']],
  ['takeOver', []],
] as const)('[I25] %s of a disposed agent says that it was disposed', async ([name, given]) => {
  const { agent } = await waitingAgent()
  agent.dispose()

  expect(await refusalOf(agent, name, given)).toMatchObject({
    message: 'The agent was disposed. Create a new one.',
  })
})

async function refusalOf(
  agent: object,
  name: keyof Given,
  given: readonly unknown[],
): Promise<unknown> {
  try {
    const result = (agent as Given)[name](...given)
    const isIteration = typeof result === 'object' && result !== null && 'next' in result
    await (isIteration ? (result as AsyncIterator<unknown>).next() : result)
    return undefined
  } catch (thrown) {
    return thrown
  }
}

/** An agent with a call that a person has to answer, and a message that waits. */
async function waitingAgent() {
  const watched = watchedAgent({
    model: scriptedModel([call('pick')], [say('Ok.')]),
    tools: picking,
  })
  const { agent } = watched
  await agent.prompt('Go.')
  agent.followUp('Later.')
  return watched
}

function shown(given: readonly unknown[]): string {
  return given
    .map((one) => {
      try {
        return JSON.stringify(one) ?? String(one)
      } catch {
        return typeof one
      }
    })
    .join(', ')
}

import { expect, test } from 'vitest'
import { z } from 'zod'
import { catchReports, pageTools, watchedAgent } from '../agent/agent.fixtures.ts'
import { agentTool } from '../agent/agent-tool.ts'
import type { AssistantMessage } from '../kernel/message.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { transcriptProblems } from '../testing/strict-transcript.ts'
import { defineTool } from '../tools/definition.ts'
import { createLoopWorker } from '../tools/fixtures/fake-worker.fixtures.ts'
import { inClient } from '../tools/page/client-host.ts'
import { createWorkerHost } from '../tools/page/worker-host.ts'
import { toolResult } from '../tools/result/tool-result.ts'
import { ToolError } from '../tools/tool-error.ts'
import type { ToolContext } from '../tools/worker/context.ts'
import { implement } from '../tools/worker/implement.ts'
import { executeToolCalls } from './execute-tool-calls.ts'
import { calling, callTo, executed, nameOf, resultsOf, userMessage } from './loop.fixtures.ts'
import { isOfCalls } from './own-events.ts'

/** Tools `a`, `b` and `c` in workers that the test plays. */
function threeWorkers() {
  const environment = createManualEnvironment()
  const tools = fakeWorkers([workerTool('a'), workerTool('b'), workerTool('c')], environment)
  return { environment, tools }
}

test('[S000-1] [S000-2] [S000-5] runs all calls of an answer at once, and returns a result for each in their order', async () => {
  const { environment, tools } = threeWorkers()
  const content = [
    { type: 'text', text: 'Let me see.' },
    callTo('a', 'call A', { n: 1 }),
    { type: 'thinking', text: 'Hm.' },
    callTo('b', 'call B'),
    callTo('c', 'call C'),
  ] as const
  const { done } = executed({ message: { content }, tools }, environment)
  await quiet()
  const atOnce = tools.alive()
  for (const name of ['c', 'a', 'b']) tools.worker(name).answer(`${name} is done`)

  expect(atOnce).toBe(3)
  expect(tools.worker('a').request()).toMatchObject({ toolCallId: 'call A', input: { n: 1 } })
  expect(await resultsOf(done)).toEqual([
    'call A: a is done',
    'call B: b is done',
    'call C: c is done',
  ])
  const { executionResults, steeringMessages } = await done
  expect(executionResults.map((result) => [result.toolCallId, result.outcome])).toEqual([
    ['call A', 'succeeded'],
    ['call B', 'succeeded'],
    ['call C', 'succeeded'],
  ])
  expect(steeringMessages).toBeNull()
})

test('the code of tools gets the context', async () => {
  const { environment, tools } = threeWorkers()
  const context = { tenant: 'tenant-7' }
  const { done } = executed({ message: calling('a'), tools, context }, environment)
  await quiet()
  expect(tools.worker('a').request()?.context).toEqual(context)
  tools.worker('a').answer('done')
  expect(await resultsOf(done)).toHaveLength(1)
})

test('[S000-4] [S000-7] [S000-8] [S000-10] all start, all finish, then ends and results come in call order', async () => {
  const { environment, tools } = threeWorkers()
  const { done, eventNames } = executed({ message: calling('a', 'b'), tools }, environment)
  await quiet()
  tools.worker('b').begin()
  tools.worker('b').answer('first')
  await quiet()
  const whileARuns = eventNames()
  tools.worker('a').answer('second')
  await done

  expect(whileARuns).toEqual([
    'tool_execution_start A',
    'tool_execution_start B',
    'tool_prepared A',
    'tool_dispatched A',
    'tool_prepared B',
    'tool_dispatched B',
    'tool_running B',
  ])
  expect(eventNames().slice(whileARuns.length)).toEqual([
    'tool_running A',
    'tool_execution_end A',
    'tool_execution_end B',
    'tools_end',
    'message_start A',
    'message_end A',
    'message_start B',
    'message_end B',
  ])
})

test('[I11] ends may be reported as the calls end', async () => {
  const { environment, tools } = threeWorkers()
  const { done, eventNames } = executed(
    { message: calling('a', 'b'), tools, endOrder: 'completion' },
    environment,
  )
  await quiet()
  tools.worker('b').answer('first')
  await quiet()

  expect(eventNames().at(-1)).toBe('tool_execution_end B')
  tools.worker('a').answer('second')
  expect(await resultsOf(done)).toEqual(['A: second', 'B: first'])
})

test('[S000-6] reports partial results of a tool, as blocks, while it runs', async () => {
  const { environment, tools } = threeWorkers()
  const { done, events } = executed({ message: calling('a'), tools }, environment)
  await quiet()
  tools.worker('a').update('half')

  expect(events.at(-1)).toMatchObject({
    type: 'tool_execution_update',
    toolCallId: 'A',
    partialResult: { content: [{ type: 'text', text: 'half' }] },
  })
  tools.worker('a').answer('whole')
  await done
})

test('[S000-1] has exactly the events that an agent has for the same calls', async () => {
  const codes = {
    works: () => 'fine',
    reports: ({ onProgress }: ToolContext) => onProgress('half'),
    throws: () => Promise.reject(new Error('Out of paper.')),
  }
  const names = ['works', 'reports', 'throws', 'missing']
  const world = createManualEnvironment()
  const model = scriptedModel(names.map((name) => call(name)))
  const { agent, events: all } = watchedAgent(
    { model, tools: pageTools(world, codes), maxTurns: 1 },
    world,
  )
  await agent.prompt('Run the calls.')
  const environment = createManualEnvironment()
  // The agent gives its first id to the prompt, and the first two numbers of its log to other events.
  environment.newId('msg')
  const content = names.map((name, index) => callTo(name, `call_${index + 1}`))
  const { done, events } = executed(
    { message: { content }, tools: pageTools(environment, codes), endOrder: 'completion' },
    environment,
  )
  await done

  expect(events.length).toBeGreaterThan(20)
  expect(events.map((event) => ({ ...event, seq: event.seq + 2 }))).toEqual(all.filter(isOfCalls))
})

test('[S001-5] reports nothing between start and end with toolEvents: false', async () => {
  const { environment, tools } = threeWorkers()
  const { done, events } = executed(
    { message: calling('a'), tools, toolEvents: false },
    environment,
  )
  await quiet()
  tools.worker('a').update('half')
  tools.worker('a').answer('whole')
  await done

  expect(events.filter(({ sub }) => sub !== undefined)).toEqual([])
})

test('[S000-8] [S000-14] the result messages are returned, and make a valid conversation', async () => {
  const { environment, tools } = threeWorkers()
  const message: AssistantMessage = {
    ...calling('a', 'b'),
    id: 'answer',
    parentId: 'user',
    role: 'assistant',
    model: { provider: 'theirs', id: 'best' },
    stopReason: 'tool_use',
  }
  const { done, events } = executed({ message, tools }, environment)
  await quiet()
  tools.worker('a').answer('1')
  tools.worker('b').settle({ kind: 'threw', errorKind: 'failed', message: 'No.' })
  const { toolResults } = await done

  const ends = events.flatMap((event) => (event.type === 'message_end' ? [event.message] : []))
  expect(toolResults).toEqual(ends)
  expect(transcriptProblems([userMessage('Go.'), message, ...toolResults])).toEqual([])
  expect(toolResults.map(({ parentId }) => parentId)).toEqual(['answer', toolResults[0]?.id])
  expect(toolResults.map(({ isError }) => isError)).toEqual([false, true])
})

test('[S000-3] [S000-13] an unknown tool gets a result, also when there are no tools at all', async () => {
  const { environment, tools } = threeWorkers()
  const some = executed({ message: calling('d'), tools }, environment)
  const none = executed({ message: calling('d', 'constructor') }, environment)

  expect(await resultsOf(some.done)).toEqual([
    'D!: No tool named "d". Available: a, b, c. It did not run.',
  ])
  expect(await resultsOf(none.done)).toEqual([
    'D!: No tool named "d". Available: none. It did not run.',
    'CONSTRUCTOR!: No tool named "constructor". Available: none. It did not run.',
  ])
})

test('[S000-13] a tool that has no code gives an error result, and the others run', async () => {
  const environment = createManualEnvironment()
  const pick = defineTool({
    ...{ name: 'pick', description: 'Picks.', place: 'client', inputSchema: z.object({}) },
  })
  const tools = [inClient([pick]), pageTools(environment, { works: () => 'fine' })]
  const { done, events } = executed({ message: calling('pick', 'works'), tools }, environment)

  expect(await resultsOf(done)).toEqual([
    expect.stringMatching(/^PICK!: .*"pick" is answered by the user interface.* It did not run\.$/),
    'WORKS: fine',
  ])
  expect(events.map(({ type }) => type)).not.toContain('tool_result_staged')
})

test('[S000-13] [S000-16] [I15] a tool that throws, returns an error or gets wrong arguments changes nothing for the others', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, {
    throws: () => Promise.reject(new Error('Out of paper.')),
    fails: () => ToolError.notFound('No such page.'),
    works: () => 'fine',
  })
  const content = [
    callTo('throws', '1'),
    callTo('fails', '2'),
    { ...callTo('works', '3'), argsText: '{"n":' },
    callTo('works', '4'),
  ]
  const { done } = executed({ message: { content }, tools }, environment)

  expect(await resultsOf(done)).toEqual([
    '1!: Out of paper.',
    '2!: No such page.',
    '3!: Invalid arguments: they are not valid JSON. It did not run.',
    '4: fine',
  ])
  const { executionResults } = await done
  expect(executionResults.map(({ errorKind }) => errorKind)).toEqual([
    'failed',
    'not_found',
    'invalid_args',
    undefined,
  ])
})

test('[S000-5] runs in workers as an agent does', async () => {
  const double = defineTool({
    name: 'double',
    description: 'Doubles.',
    inputSchema: z.object({ n: z.number() }),
  })
  const implementation = implement(double, ({ n }) => 2 * n)
  const tools = createWorkerHost([double], () => createLoopWorker([implementation]))
  const content = [callTo('double', '1', { n: 21 }), callTo('double', '2', { n: 'x' })]

  const done = executeToolCalls({ message: { content }, tools })

  expect(await resultsOf(done)).toEqual([
    '1: 42',
    expect.stringMatching(/^2!: Invalid arguments: n: .* It did not run\.$/),
  ])
})

test('[S000-2] an answer without calls gives empty lists and no event', async () => {
  const content = [{ type: 'text', text: 'Hi.' }] as const
  const { done, events } = executed({ message: { content } })

  expect(await done).toMatchObject({
    toolResults: [],
    executionResults: [],
    steeringMessages: null,
  })
  expect(await executed({ message: { content: [] } }).done).toMatchObject({ toolResults: [] })
  expect(events).toEqual([])
})

test('[I18] an answer that was cut off runs nothing, and each of its calls is answered', async () => {
  const { environment, tools } = threeWorkers()
  const message = { ...calling('a', 'b'), stopReason: 'max_tokens' } as const
  const { done } = executed({ message, tools }, environment)

  const text = 'Not run: the answer was cut off before this call was complete.'
  expect(await resultsOf(done)).toEqual([`A!: ${text}`, `B!: ${text}`])
  expect(tools.started).toEqual([])
})

test('[I19] the limits of an agent hold', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { long: () => 'x'.repeat(1000) })
  const message = calling('long', 'long', 'long')
  const limits = { maxCallsPerTurn: 2, maxToolResultChars: 100 }
  const { done } = executed({ message, tools, ...limits }, environment)

  const [first, , third] = await resultsOf(done)
  expect(first?.length).toBeLessThanOrEqual('LONG: '.length + 100)
  expect(third).toBe('LONG2!: Not run: limit of 2 tool calls per turn reached.')
})

test('[I14] no more calls run at once than allowed', async () => {
  const { environment, tools } = threeWorkers()
  const { done } = executed(
    { message: calling('a', 'b', 'c'), tools, maxConcurrency: 2 },
    environment,
  )
  await quiet()
  expect(tools.alive()).toBe(2)
  tools.worker('a').answer('1')
  tools.worker('b').answer('2')
  await quiet()
  tools.worker('c').answer('3')

  expect(await resultsOf(done)).toEqual(['A: 1', 'B: 2', 'C: 3'])
})

test('equal calls are no loop', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { roll: () => 4 })
  const message = calling(...Array<string>(10).fill('roll'))

  const { toolResults } = await executed({ message, tools }, environment).done

  expect(toolResults.map(({ isError }) => isError)).toEqual(Array(10).fill(false))
})

test('[S000-15] the bytes that a tool returned are in the result', async () => {
  const environment = createManualEnvironment()
  const artifacts = [{ name: 'a.txt', mediaType: 'text/plain', data: 'text' }]
  const tools = pageTools(environment, {
    write: () => toolResult({ content: 'Written.', artifacts }),
  })
  const { done, events } = executed({ message: calling('write'), tools }, environment)
  const { getArtifact } = await done

  const ends = events.flatMap((event) =>
    event.type === 'tool_execution_end' ? (event.result.artifacts ?? []) : [],
  )
  expect(await getArtifact(ends[0]?.artifactId ?? '')?.text()).toBe('text')
})

test('[I30] a listener that throws changes nothing', async () => {
  const reports = catchReports()
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => 'fine' })
  const onEvent = ({ type }: { readonly type: string }): void => {
    if (type === 'tools_end') throw new Error('Not ready.')
  }
  const { done } = executed({ message: calling('a'), tools, onEvent }, environment)

  expect(await resultsOf(done)).toEqual(['A: fine'])
  expect(reports).toEqual([new Error('Not ready.')])
})

test('a call may run a sub-agent, whose events carry its id', async () => {
  const environment = createManualEnvironment()
  const model = scriptedModel([call('look')], [say('Found it.')])
  const tools = pageTools(environment, { look: () => 'a key' })
  const research = agentTool({
    name: 'research',
    description: 'Looks something up.',
    inputSchema: z.object({}),
    prompt: () => 'Find it.',
    agent: { model, tools },
  })
  const { done, events } = executed({ message: calling('research'), tools: research }, environment)

  expect(await resultsOf(done)).toEqual(['RESEARCH: Found it.'])
  const inside = events.filter(({ parentToolCallId }) => parentToolCallId === 'RESEARCH')
  expect(inside.map(nameOf)).toContain('tool_execution_end call_1')
  const { executionResults } = await done
  expect(executionResults.map(({ toolName }) => toolName)).toEqual(['research'])
})

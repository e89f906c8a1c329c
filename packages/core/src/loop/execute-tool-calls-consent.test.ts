import { expect, test } from 'vitest'
import { z } from 'zod'
import { catchReports, pageTools } from '../agent/agent.fixtures.ts'
import { agentTool } from '../agent/agent-tool.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import type { Approve } from './answer-approvals.ts'
import { type ExecuteToolCallsOptions, executeToolCalls } from './execute-tool-calls.ts'
import { calling, callTo, executed, resultsOf, watchedSignal } from './loop.fixtures.ts'

function guarded() {
  const environment = createManualEnvironment()
  const ran: unknown[] = []
  const code = (_: unknown, input: unknown) => {
    ran.push(input)
    return 'paid'
  }
  const tools = pageTools(environment, { pay: code }, { needsApproval: true })
  return { environment, tools, ran }
}

const denied = 'The user did not allow this call.'

test.for<readonly [says: string, approve: Approve | null, result: string]>([
  ['true', () => true, 'PAY: paid'],
  ['true, later', async () => true, 'PAY: paid'],
  ['false', () => false, `PAY!: ${denied} It did not run.`],
  [
    'nothing, because there is no person to ask',
    null,
    `PAY!: ${denied} No person can be asked. It did not run.`,
  ],
])('[S000-1] a call that needs approval runs only if approved: %s', async ([, approve, result]) => {
  const { environment, tools, ran } = guarded()
  const { done } = executed(
    { message: calling('pay'), tools, ...(approve && { approve }) },
    environment,
  )

  expect(await resultsOf(done)).toEqual([result])
  expect(ran).toHaveLength(result.endsWith('paid') ? 1 : 0)
})

test('a call of a sub-agent needs approval, too', async () => {
  const { environment, tools, ran } = guarded()
  const model = scriptedModel([call('pay', { n: 1 })], [say('Paid.')])
  const shop = agentTool({
    name: 'shop',
    description: 'Buys something.',
    inputSchema: z.object({}),
    prompt: () => 'Buy it.',
    agent: { model, tools },
  })
  const seen: string[] = []
  const approve: Approve = ({ toolCallId, toolName }) => {
    seen.push(`${toolName} ${toolCallId}`)
    return true
  }
  const { done } = executed({ message: calling('shop'), tools: shop, approve }, environment)

  expect(await resultsOf(done)).toEqual(['SHOP: Paid.'])
  expect(seen).toEqual(['pay call_1'])
  expect(ran).toEqual([{ n: 1 }])
})

test('a call is shown as the model wrote it, and each is approved by itself', async () => {
  const { environment, tools, ran } = guarded()
  const seen: object[] = []
  const approve: Approve = (call) => {
    seen.push(call)
    return call.toolCallId === '2'
  }
  const content = [callTo('pay', '1', { n: 1 }), callTo('pay', '2', { n: 2 })]
  const { done } = executed({ message: { content }, tools, approve }, environment)

  expect(await resultsOf(done)).toEqual([`1!: ${denied} It did not run.`, '2: paid'])
  expect(seen).toEqual([
    { toolCallId: '1', toolName: 'pay', args: { n: 1 } },
    { toolCallId: '2', toolName: 'pay', args: { n: 2 } },
  ])
  expect(ran).toEqual([{ n: 2 }])
})

test('a consent function that fails lets nothing through, and is reported', async () => {
  const reports = catchReports()
  const { environment, tools, ran } = guarded()
  const approve = () => {
    throw new Error('No window.')
  }
  const { done } = executed({ message: calling('pay'), tools, approve }, environment)

  expect(await resultsOf(done)).toEqual([`PAY!: ${denied} Asking for it failed. It did not run.`])
  expect(ran).toEqual([])
  expect(reports).toEqual([new Error('No window.')])
})

test('[I20] [I25] an abort does not wait for a person, whose late answer does nothing', async () => {
  const reports = catchReports()
  const { environment, tools, ran } = guarded()
  const { signal, abort, listeners } = watchedSignal()
  let say = (_: boolean): void => {}
  const approve = () => new Promise<boolean>((resolve) => (say = resolve))
  const { done, events } = executed(
    { message: calling('pay'), tools, approve, signal },
    environment,
  )
  await quiet()
  abort()
  const results = await resultsOf(done)
  const { length } = events
  say(true)
  await quiet()

  expect(results).toEqual(['PAY!: Cancelled by the user before it started. It did not run.'])
  expect(events).toHaveLength(length)
  expect(ran).toEqual([])
  expect(reports).toEqual([])
  expect(listeners()).toBe(0)
})

test('[I17] hooks see the calls; those for prompts and requests are not called', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { read: () => 'a secret', drop: () => 'gone' })
  const seen: string[] = []
  const hooks = {
    onUserPromptSubmit: () => void seen.push('prompt'),
    transformContext: (messages: readonly never[]) => {
      seen.push('context')
      return messages
    },
    beforeToolCall: ({ toolName }: { readonly toolName: string }) => {
      seen.push(`before ${toolName}`)
      return toolName === 'drop'
        ? ({ block: true, reason: 'Read-only today.' } as const)
        : undefined
    },
    afterToolCall: ({ toolName }: { readonly toolName: string }) => {
      seen.push(`after ${toolName}`)
      return { content: '***' }
    },
  }
  const message = calling('read', 'drop')
  const { done } = executed({ message, tools, hooks }, environment)

  expect(await resultsOf(done)).toEqual([
    'READ: ***',
    `DROP!: ${denied} Read-only today. It did not run.`,
  ])
  expect(seen.toSorted()).toEqual(['after read', 'before drop', 'before read'])
})

test('several hooks run in order, and one that fails lets nothing through', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { read: () => 'a secret' })
  const seen: string[] = []
  const hooks = [
    { beforeToolCall: () => void seen.push('first') },
    {
      beforeToolCall: () => {
        throw new Error('Out of order.')
      },
    },
  ]
  const { done, events } = executed({ message: calling('read'), tools, hooks }, environment)

  expect(await resultsOf(done)).toEqual([`READ!: ${denied} A hook failed. It did not run.`])
  expect(seen).toEqual(['first'])
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'warning',
      message: 'The hook beforeToolCall failed: Out of order.',
    }),
  )
})

test('other options of an agent have no effect: no session is written, no turn is limited', async () => {
  const environment = createManualEnvironment()
  const storage = memoryStorage()
  const options = {
    tools: pageTools(environment, { read: () => 'text' }),
    storage,
    deadlineMs: 1,
    maxTurns: 3,
    toolMode: 'manual',
    model: scriptedModel(),
  } as const
  const { done } = executed({ ...options, message: calling('read') }, environment)

  expect(await resultsOf(done)).toEqual(['READ: text'])
  expect(await storage.list()).toEqual([])
})

const pickDate = defineTool({
  name: 'pick_date',
  description: 'Picks a date.',
  place: 'client',
  inputSchema: z.object({}),
})
const lost = agentTool({
  name: 'lost',
  description: 'An agent without a model.',
  inputSchema: z.object({}),
  prompt: () => 'Go.',
})
const message = { content: [callTo('a', '1')] }
function broken(json: string): ExecuteToolCallsOptions['message'] {
  const message: ExecuteToolCallsOptions['message'] = JSON.parse(json)
  return message
}

test.for<readonly [options: ExecuteToolCallsOptions, problem: string]>([
  [
    { message: { content: [callTo('a', '1'), callTo('b', '1')] } },
    'Two calls of the message have the id "1". Give every call an id of its own.',
  ],
  [
    { message: { content: [callTo('lost', '1')] }, tools: lost },
    'The agent "lost" has no model, and there is no agent around it. Pass one: agentTool({ agent: { model } }).',
  ],
  ...['null', '[]', '"Hi."', '{}', '{"content":"Hi."}', '{"content":["Hi."]}'].map(
    (json) => [{ message: broken(json) }, expect.stringContaining('no answer of a model')] as const,
  ),
  [
    { message: broken('{"role":"user","content":[]}') },
    'The message is no answer of a model. Pass an AssistantMessage, or { content } with its list of blocks.',
  ],
  ...[
    '{}',
    '{"toolCallId":"","toolName":"a","argsText":""}',
    '{"toolCallId":"1","toolName":"a","args":{}}',
  ].map(
    (json) =>
      [
        { message: broken(`{"content":[{"type":"toolCall",${json.slice(1)}]}`.replace(',}', '}')) },
        expect.stringContaining('A call must be'),
      ] as const,
  ),
  [
    { message: { content: [] }, maxConcurrency: 0 },
    'maxConcurrency must be a whole number of at least 1; it is 0.',
  ],
  ...[
    ['{"endOrder":"calls"}', "endOrder must be 'completion' or 'call'; it is 'calls'."],
    ['{"signal":5}', 'The signal must be an AbortSignal.'],
    ['{"onEvent":5}', 'onEvent must be a function.'],
    ['{"approve":"yes"}', 'approve must be a function.'],
    ['{"hooks":{"afterToolCall":5}}', 'afterToolCall must be a function.'],
  ].map(([json = '', problem = '']) => [{ ...JSON.parse(json), message }, problem] as const),
  [
    { message: { content: [] }, tools: [inClient([pickDate]), inClient([pickDate])] },
    'Duplicate tool name: pick_date. Give one of them another name.',
  ],
])('[S000-1] misuse is a TypeError before anything runs: %j', async ([options, problem]) => {
  const happened: string[] = []
  const misuse = executeToolCalls({
    ...options,
    onEvent: options.onEvent ?? (({ type }) => happened.push(type)),
    getSteeringMessages: () => {
      happened.push('asked')
      return []
    },
  })

  await expect(misuse).rejects.toThrow(TypeError)
  await expect(misuse).rejects.toMatchObject({ message: problem })
  expect(happened).toEqual([])
})

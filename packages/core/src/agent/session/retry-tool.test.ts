import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { isDurable } from '../../kernel/events.ts'
import {
  agentEnd,
  answer,
  asked,
  didCall,
  logOf,
  text,
  turnEnd,
  turnStart,
} from '../../kernel/log.fixtures.ts'
import { emptyState } from '../../kernel/state.ts'
import { createManualEnvironment, quiet } from '../../runtime/environment.fixtures.ts'
import { readLog } from '../../runtime/read-log.ts'
import { memoryStorage } from '../../storage/memory.ts'
import { canRetry } from '../../store/can-retry.ts'
import { call, rawCall, say, scriptedModel } from '../../testing/scripted.ts'
import { defineTool } from '../../tools/definition.ts'
import { inClient } from '../../tools/page/client-host.ts'
import { pageTools, resultsIn, sleeping, type Watched } from '../agent.fixtures.ts'
import { createAgentIn } from '../create-agent.ts'
import { callPart } from '../late-calls.ts'
import { sessionId, tabs } from './tabs.fixtures.ts'

// With it the first retry does not take longer than the others.
beforeAll(async () => void (await callPart.load()))

const ask = defineTool({
  name: 'ask',
  description: 'Asks.',
  place: 'client',
  inputSchema: z.object({}),
})

/** A call has failed, and the model has read that. Its next attempt takes a second. */
async function failed(
  options: { readonly onInterrupt?: 'rerun'; readonly idempotent?: boolean } = {},
) {
  const ran: number[] = []
  const session = tabs((environment) => ({
    tools: pageTools(
      environment,
      {
        work: (context, input) => {
          ran.push(context.attempt)
          if (context.attempt === 1) throw new Error('No.')
          return sleeping(environment, 1000)(context, input)
        },
      },
      options,
    ),
  }))
  const owner = session.open(
    scriptedModel([call('work')], [say('It failed.')], [say('It worked.')]),
  )
  await owner.agent.ready
  expect(await owner.agent.prompt('Go.')).toMatchObject({ reason: 'stop' })
  return { ...session, owner, ran }
}

const statusIn = ({ agent }: Watched) => agent.getState().toolCalls.get('call_1')?.status

test('[R5] [D45] a page that ends in the middle of a retry: the call is interrupted, and can be retried', async () => {
  const { owner, open, pass, ran } = await failed()
  void owner.agent.retryTool('call_1')
  await pass(10)
  owner.agent.dispose()
  await owner.agent.stored()

  const model = scriptedModel([say('It worked.')])
  const next = open(model)
  await next.agent.ready
  await pass(0)
  expect(statusIn(next)).toBe('interrupted')
  expect(next.agent.getState().toolCalls.get('call_1')?.earlier).toMatchObject([
    { status: 'failed' },
  ])
  expect(next.agent.getState().branches.tips).toHaveLength(1)
  expect(canRetry(next.agent.getState(), 'call_1')).toBe(true)

  const retried = next.agent.retryTool('call_1')
  await pass(1000)
  expect(await retried).toMatchObject({ reason: 'stop', text: 'It worked.' })
  expect(ran).toEqual([1, 2, 3])
  expect(resultsIn(model.requests[0])).toEqual(['work slept'])
})

test('[R8] [D53] where two messages have one name, as in a file that was made up, a refusal writes nothing', async () => {
  const storage = memoryStorage()
  const facts = [...asked(), ...didCall('msg_2', 'call_1'), turnEnd(), turnStart]
  const log = logOf(facts, answer('msg_2', [text('It worked.')]), turnEnd(), agentEnd())
  const stored = log.flatMap((event) => (isDurable(event) ? { ...event, sessionId } : []))
  await storage.append(sessionId, { head: 0, epoch: 0 }, stored)
  // The agents of other tests judge what is stored, and this log was never right.
  const options = { model: scriptedModel(), storage, sessionId }
  const agent = createAgentIn(options, createManualEnvironment())
  onTestFinished(agent.dispose)
  await agent.ready

  await expect(agent.retryTool('call_1')).rejects.toMatchObject({ code: 'unknown_call' })

  expect(readLog(emptyState(sessionId), await storage.read(sessionId)).problem).toBeNull()
  expect(await storage.read(sessionId)).toHaveLength(stored.length + 1)
})

test('[R8] [D46] a call that was cut off with its page goes on when it is retried', async () => {
  const { owner, open, pass, ran } = await failed({ onInterrupt: 'rerun', idempotent: true })
  void owner.agent.retryTool('call_1')
  await pass(10)
  owner.agent.dispose()
  await owner.agent.stored()

  const next = open(scriptedModel([say('It worked.')]))
  await next.agent.ready
  await pass(0)
  expect(statusIn(next)).toBe('interrupted')
  expect(canRetry(next.agent.getState(), 'call_1')).toBe(true)
  await expect(next.agent.retryTool('call_1', { args: { n: 1 } })).rejects.toMatchObject({
    code: 'not_retryable',
  })

  const retried = next.agent.retryTool('call_1')
  await pass(1000)
  expect(await retried).toMatchObject({ reason: 'stop', text: 'It worked.' })
  expect(ran).toEqual([1, 2, 3])
  expect(next.agent.getState().toolCalls.get('call_1')?.earlier).toHaveLength(1)
})

test('[D4] [D78] a follower has a call retried by the owner, once, and is refused as the owner would be', async () => {
  const { owner, open, pass, ran, storage } = await failed()
  const follower = open()
  await follower.agent.ready
  await pass(100)

  await expect(follower.agent.retryTool('call_9')).rejects.toMatchObject({ code: 'unknown_call' })
  const retried = follower.agent.retryTool('call_1', { args: { n: 1 } })
  await pass(100)
  expect(statusIn(follower)).toBe('running')
  expect(canRetry(follower.agent.getState(), 'call_1')).toBe(false)
  await pass(1000)
  await pass(100)

  expect(await retried).toMatchObject({ reason: 'stop', text: 'It worked.' })
  expect(ran).toEqual([1, 2])
  const wished = (await storage.read(sessionId)).filter(({ wishId }) => wishId !== undefined)
  expect(wished.map(({ type }) => type)).toEqual(['tool_retry_requested'])
  expect(follower.agent.getState().toolCalls.get('call_1')).toMatchObject({
    status: 'succeeded',
    args: { n: 1 },
    earlier: [{ status: 'failed' }],
  })
  expect(owner.agent.getState().branches.tips).toEqual(follower.agent.getState().branches.tips)
})

test('[D4] [R5] a follower has a call retried that is refused at once, while another one waits for the page', async () => {
  const { open, pass, storage, environment } = tabs((own) => ({
    tools: [pageTools(own, { work: () => 'done' }), inClient([ask])],
  }))
  const owner = open(scriptedModel([rawCall('work', '{'), call('ask')]))
  expect(await owner.agent.prompt('Go.')).toMatchObject({ reason: 'awaiting_tool_results' })
  // What is stored comes later than what the owner posts.
  const { agent } = open(scriptedModel(), {
    ...storage,
    follow: (id, from, callback) =>
      storage.follow(id, from, (events) => {
        environment.clock.setTimer(10, () => callback(events))
      }),
  })
  await agent.ready
  await pass(100)

  const retried = agent.retryTool('call_1')
  // The owner answers before it is in the log of the follower.
  await pass(0)
  await pass(100)

  expect(await retried).toMatchObject({ reason: 'awaiting_tool_results' })
  expect(agent.getState().toolCalls.get('call_1')).toMatchObject({
    errorKind: 'invalid_args',
    earlier: [{ errorKind: 'invalid_args' }],
  })
})

test('[R8] two tabs retry at once: one attempt is made, and the other is refused', async () => {
  const { owner, open, pass, ran } = await failed()
  const follower = open()
  await follower.agent.ready
  await pass(100)

  const asked = follower.agent.retryTool('call_1')
  const refused = expect(asked).rejects.toMatchObject({ code: 'not_retryable' })
  const own = owner.agent.retryTool('call_1')
  await pass(100)
  await pass(1000)
  await quiet()

  expect(await own).toMatchObject({ text: 'It worked.' })
  await refused
  expect(ran).toEqual([1, 2])
})

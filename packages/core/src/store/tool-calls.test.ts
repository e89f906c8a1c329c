import { expect, test } from 'vitest'
import { z } from 'zod'
import { pageTools, watchedAgent } from '../agent/agent.fixtures.ts'
import { agentTool } from '../agent/agent-tool.ts'
import type { Agent } from '../agent/create-agent.ts'
import { emptyState } from '../kernel/state.ts'
import { announcedCall } from '../kernel/tool-call.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, hold, type ScriptedAnswer, say, scriptedModel } from '../testing/scripted.ts'
import type { ToolHost } from '../tools/host.ts'
import { createToolCalls } from './tool-calls.ts'

test('the views of calls are looked for when they are looked at, once in each way', () => {
  const asked: string[] = []
  const toolCallsOf = createToolCalls(new Map(), (toolName) => void asked.push(toolName))
  const content = { type: 'toolCall', toolName: 'a', argsText: '{}' } as const
  const calls = ['call_1', 'call_2'].map((toolCallId) =>
    announcedCall({ ...content, toolCallId }, 'msg_1'),
  )
  const batch = { messageId: 'msg_1', stopReason: 'tool_use', calls, delivered: 0 } as const

  const shown = toolCallsOf({
    ...emptyState('session_1'),
    batch: { ...batch, toolExecution: 'parallel', toolMessages: null },
  })

  expect(asked).toEqual([])
  expect(shown.active).toBe(shown.active)
  expect(shown.get('call_2')).toBe(shown.active[1])
  expect(asked).toHaveLength(4)
})

test('a call of a sub-agent is shown, approved and followed to its end', async () => {
  const { agent, environment, host } = researching([
    [call('a')],
    [call('a', { n: 2 }), call('b')],
    [say('Because.')],
  ])
  const done = agent.prompt('Go.')
  await quiet()

  const [outer, inner] = agent.getState().toolCalls.active
  expect(outer).toMatchObject({ toolName: 'research', status: 'running' })
  expect(outer?.children).toEqual([inner?.toolCallId])
  expect(inner).toMatchObject({
    toolName: 'a',
    status: 'awaiting_approval',
    approval: { args: {} },
    agentId: 'agent_1',
    parentToolCallId: outer?.toolCallId,
  })
  expect(agent.getState().status).toBe('awaiting_approval')

  allow(agent, inner?.toolCallId)
  await quiet()
  expect(agent.getState().status).toBe('running_tools')
  host.worker('a').answer('A.')
  await quiet()
  const ended = viewOf(agent, inner?.toolCallId)
  expect(ended).toMatchObject({ status: 'succeeded', hasEnded: true, agentId: 'agent_1' })
  expect(namesOf(agent)).toEqual(['research', 'a', 'b'])
  expect(viewOf(agent, outer?.toolCallId)?.children).toHaveLength(3)
  expect(viewOf(agent, outer?.toolCallId)?.children?.[0]).toBe(inner?.toolCallId)
  expect(viewOf(agent, inner?.toolCallId)).toBe(ended)

  agent.abort()
  environment.clock.advance(250)
  await done
  await quiet()
  expect(agent.getState().toolCalls.active).toEqual([])
  expect(viewOf(agent, outer?.toolCallId)?.children).toBeUndefined()
  expect(viewOf(agent, inner?.toolCallId)).toBeUndefined()
})

test('the card of a sub-agent changes with the list of its calls, not with the calls', async () => {
  const { agent, environment, host } = researching([[call('b')], [say('Because.')]])
  const done = agent.prompt('Go.')
  await quiet()
  const [outer, inner] = agent.getState().toolCalls.active
  const worker = host.worker('b')

  worker.begin()
  worker.progress(50)
  environment.clock.advance(0)
  await quiet()
  environment.frame()

  const [sameOuter, changed] = agent.getState().toolCalls.active
  expect(sameOuter).toBe(outer)
  expect(changed).toMatchObject({ toolCallId: inner?.toolCallId, progress: { value: 50 } })
  worker.answer('B.')
  await done
})

test('the streaming answer of a sub-agent shows its calls', async () => {
  const { agent, environment } = researching([[call('b'), hold()]])
  const done = agent.prompt('Go.')
  await quiet()
  environment.frame()

  const [outer, inner] = agent.getState().toolCalls.active
  expect(inner).toMatchObject({ toolName: 'b', status: 'input_streaming', agentId: 'agent_1' })
  expect(outer?.children).toEqual([inner?.toolCallId])
  const { toolCalls } = agent.getState()
  agent.steer('And why not?')
  await quiet()
  expect(agent.getState().toolCalls).toBe(toolCalls)

  agent.abort()
  await done
})

test("a call of a sub-agent's sub-agent is in the list below the call that it belongs to", async () => {
  const environment = createManualEnvironment()
  const wait = pageTools(environment, { wait: () => new Promise(() => {}) })
  const innermost = research([[call('wait')]], wait)
  const middle = research([[ask]], innermost)
  const { agent } = watchedAgent({ model: scriptedModel([ask]), tools: middle }, environment)
  const done = agent.prompt('Go.')
  await quiet()

  const [first, second, third] = agent.getState().toolCalls.active
  expect(namesOf(agent)).toEqual(['research', 'research', 'wait'])
  expect(first?.children).toEqual([second?.toolCallId])
  expect(second?.parentToolCallId).toBe(first?.toolCallId)
  expect(third?.parentToolCallId).toBe(second?.toolCallId)
  expect(agent.cancelTool(third?.toolCallId ?? '')).toBe(true)
  await quiet()
  expect(viewOf(agent, third?.toolCallId)).toMatchObject({ status: 'cancelling' })

  agent.abort()
  environment.clock.advance(250)
  await done
})

test('the run waits for a person only when nothing else of it is active', async () => {
  const { agent, host, environment } = researching([[call('a'), call('b')]])
  const done = agent.prompt('Go.')
  await quiet()
  host.worker('b').begin()
  await quiet()
  expect(agent.getState().status).toBe('running_tools')

  host.worker('b').answer('B.')
  await quiet()
  expect(agent.getState().status).toBe('awaiting_approval')

  agent.abort()
  environment.clock.advance(250)
  await done
})

const ask = call('research', { question: 'Why?' })

function research(turns: readonly ScriptedAnswer[], tools: ToolHost) {
  return agentTool({
    name: 'research',
    description: 'Looks something up.',
    inputSchema: z.object({ question: z.string() }),
    prompt: ({ question }) => question,
    agent: { model: scriptedModel(...turns), tools },
  })
}

/** An agent with a sub-agent whose tool `a` needs approval. */
function researching(turns: readonly ScriptedAnswer[]) {
  const environment = createManualEnvironment()
  const host = fakeWorkers([{ ...workerTool('a'), needsApproval: true }, workerTool('b')], {
    clock: environment.clock,
  })
  const model = scriptedModel([ask], [say('Done.')])
  const { agent } = watchedAgent({ model, tools: research(turns, host) }, environment)
  return { agent, environment, host }
}

function viewOf(agent: Agent, toolCallId = '') {
  return agent.getState().toolCalls.get(toolCallId)
}

function namesOf(agent: Agent): readonly string[] {
  return agent.getState().toolCalls.active.map(({ toolName }) => toolName)
}

function allow(agent: Agent, toolCallId = ''): void {
  const argsDigest = viewOf(agent, toolCallId)?.approval?.argsDigest ?? ''
  agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
}

import { expect, test } from 'vitest'
import { z } from 'zod'
import { textOf } from '../kernel/message.ts'
import { formatForAnthropic } from '../model/anthropic/format.ts'
import { formatForOpenAI } from '../model/openai/format.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { createPuppetStorage } from '../runtime/puppet-storage.fixtures.ts'
import { call, fail, hold, say, scriptedModel } from '../testing/scripted.ts'
import { transcriptProblems } from '../testing/strict-transcript.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { pageTools, watchedAgent } from './agent.fixtures.ts'
import type { Agent } from './create-agent.ts'

const sessionId = 'session_1'

test('[S004-12] holds three messages right after the answer to a call: question, call, result', async () => {
  const model = scriptedModel([call('pick', { min: 'today' })])
  const { agent } = watchedAgent({ model, tools: inClient([pick]), toolMode: 'manual' })
  await agent.prompt('Book it.')

  await agent.addToolResult('call_1', { date: '2026-03-01' })

  expect(linesOf(agent)).toEqual([
    'user: Book it.',
    'assistant: ',
    'toolResult: {"date":"2026-03-01"}',
  ])
  expect(agent.getTranscript()[2]).toMatchObject({ toolCallId: 'call_1', isError: false })
  expect(formatForAnthropic(agent.getTranscript()).messages).toHaveLength(3)
  expect(formatForOpenAI(agent.getTranscript()).messages).toHaveLength(3)
  // The last answer is that of the run which continued.
  const { content } = agent.getTranscript()[2] ?? {}
  await agent.continue().catch(() => {})
  expect(agent.getTranscript()[2]).toMatchObject({ content })
})

test('a call without a result gets one that says so, so that every format accepts it', async () => {
  const { agent } = watchedAgent({ model: scriptedModel([call('pick')]), tools: inClient([pick]) })
  await agent.prompt('Book it.')

  expect(transcriptProblems(agent.getTranscript())).toEqual([])
  expect(agent.getTranscript().at(-1)).toMatchObject({ role: 'toolResult', isError: true })
  expect(linesOf(agent).at(-1)).toBe('toolResult: Still waiting for an answer.')
})

test('a call that goes on says that it does, until the agent is disposed', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => new Promise(() => {}) })
  const model = scriptedModel([call('a'), call('a')])
  const { agent } = watchedAgent({ model, tools, maxConcurrency: 1 }, environment)
  void agent.prompt('Go.')
  await quiet()

  expect(linesOf(agent).slice(-2)).toEqual([
    'toolResult: Still running: there is no result yet.',
    'toolResult: Not started yet.',
  ])
  expect(transcriptProblems(agent.getTranscript())).toEqual([])
  agent.dispose()
  expect(linesOf(agent).slice(-2)).toEqual([
    expect.stringMatching(/^toolResult: Interrupted: the page closed/),
    'toolResult: Interrupted before it started. It did not run.',
  ])
})

test('a call that waits for approval says that it has not run', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => 'done' }, { needsApproval: true })
  const { agent } = watchedAgent({ model: scriptedModel([call('a')]), tools }, environment)
  void agent.prompt('Go.')
  await quiet()

  expect(linesOf(agent).at(-1)).toBe(
    'toolResult: Still waiting for a person to allow this call. It has not run.',
  )
  agent.dispose()
})

test('[I37] holds every run of the session, also after a reload, without what failed', async () => {
  const storage = createPuppetStorage()
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => 'from a' })
  const model = scriptedModel([call('a')], [say('One.')], [say('Tw'), fail('auth')])
  const before = watchedAgent({ model, tools, storage, sessionId }, environment)
  await before.agent.ready
  await before.agent.prompt('First?')
  await before.agent.prompt('Second?')
  await before.agent.stored()
  const lines = [
    'user: First?',
    'assistant: ',
    'toolResult: from a',
    'assistant: One.',
    'user: Second?',
  ]
  expect(linesOf(before.agent)).toEqual(lines)
  before.agent.dispose()

  const reloaded = { ...createManualEnvironment(), newId: environment.newId }
  const waiting = scriptedModel([hold()])
  const after = watchedAgent({ model: waiting, storage, sessionId }, reloaded).agent
  await after.ready

  expect(linesOf(after)).toEqual(lines)
  const done = after.prompt('Third?')
  await quiet()
  expect(linesOf(after)).toEqual([...lines, 'user: Third?'])
  after.abort()
  await done
})

test('holds the messages themselves where the model reads a summary', async () => {
  const long = 'x'.repeat(400)
  const compaction = { thresholdTokens: 250, keepTokens: 120, summarize: () => 'They said x.' }
  const model = scriptedModel([say(long)], [say(long)], [say('Short.')])
  const { agent, eventsOf } = watchedAgent({ model, compaction })

  for (const input of ['One.', 'Two.', `Three. ${long}`]) await agent.prompt(input)

  expect(eventsOf('compaction_end')).toHaveLength(1)
  expect(model.requests[2]?.messages.length).toBeLessThan(5)
  expect(linesOf(agent)).toEqual([
    'user: One.',
    `assistant: ${long}`,
    'user: Two.',
    `assistant: ${long}`,
    `user: Three. ${long}`,
    'assistant: Short.',
  ])
})

const pick = defineTool({
  name: 'pick',
  description: 'Has the user pick a date.',
  place: 'client',
  inputSchema: z.object({ min: z.string().optional() }),
  outputSchema: z.object({ date: z.string() }),
})

function linesOf(agent: Agent): readonly string[] {
  return agent.getTranscript().map(({ role, content }) => `${role}: ${textOf(content)}`)
}

import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { quiet } from '../../runtime/environment.fixtures.ts'
import { memoryStorage } from '../../storage/memory.ts'
import type { SessionStorage } from '../../storage/port.ts'
import { call, hold, type ScriptedAnswer, say, scriptedModel } from '../../testing/scripted.ts'
import { defineTool } from '../../tools/definition.ts'
import { inClient } from '../../tools/page/client-host.ts'
import { saidIn } from '../agent.fixtures.ts'
import type { PromptOptions } from '../ask.ts'
import { outputPart } from '../late-output.ts'
import { type Tab, tabs } from './tabs.fixtures.ts'

beforeAll(async () => void (await outputPart.load()))

const names = z.object({ names: z.array(z.string()).min(1) })
const json = JSON.stringify({ names: ['Ada'] })
const misfit = JSON.stringify({ names: [] })

const model = (...answers: readonly ScriptedAnswer[]) =>
  scriptedModel({ structuredOutput: true }, ...answers)

/** What an agent was asked for, by the starts of its runs. */
const askedOf = ({ eventsOf }: Tab) => eventsOf('agent_start').map(({ output }) => output)

test('[O10] a reload in the middle of an answer leaves the JSON Schema, and the run goes on to it', async () => {
  const memory = memoryStorage()
  // As it comes from a disk.
  const read: SessionStorage['read'] = async (...asked) =>
    structuredClone(await memory.read(...asked))
  const { open } = tabs(undefined, { ...memory, read })
  const first = open(model([say('{"names":["A'), hold()]))
  await first.agent.ready
  void first.agent.prompt('Who?', { output: names, maxRepairs: 1 })
  await quiet()
  first.agent.dispose()
  const asks = model([say(misfit)], [say(json)])
  const second = open(asks)
  await second.agent.ready
  expect(second.agent.getState()).toMatchObject({ lastReason: 'interrupted', output: 'missing' })

  const { reason, text } = await second.agent.continue()

  expect({ reason, text }).toEqual({ reason: 'stop', text: json })
  expect(askedOf(second)).toEqual([first.eventsOf('agent_start')[0]?.output])
  // By the JSON Schema alone: the page that knew more is gone.
  expect(saidIn(asks.requests[1])[1]).toContain('names: Array has too few items')
})

test('[O10] an answer whose page ended before its check is checked without a request', async () => {
  const { open } = tabs()
  const first = open(model([say(json)]))
  await first.agent.ready
  void first.agent.prompt('Who?', { output: names.refine(() => new Promise<boolean>(() => {})) })
  await quiet()
  first.agent.dispose()
  const asks = model()
  const { agent } = open(asks)
  await agent.ready
  expect(agent.getState().can.continue).toBe(true)

  const { output } = await agent.continue({ output: names })

  expect(output).toEqual({ names: ['Ada'] })
  expect(asks.requests).toEqual([])
})

test('[O10] [D50] a run that resumes by itself ends with the output', async () => {
  const { open } = tabs(() => ({ resume: 'auto' }))
  const first = open(model([hold()]))
  await first.agent.ready
  void first.agent.prompt('Who?', { output: names })
  await quiet()
  first.agent.dispose()

  const second = open(model([say(json)]))
  await second.agent.ready
  await quiet()

  expect(second.agent.getState()).toMatchObject({ lastReason: 'stop', output: 'there' })
  expect(second.eventsOf('output_checked')).toHaveLength(1)
})

test('[O10] so does one that waited for the answer of a person', async () => {
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    place: 'client',
    inputSchema: z.object({}),
  })
  const { open } = tabs(() => ({ tools: inClient([ask]) }))
  const tab = open(model([call('ask')], [say(json)]))
  const { agent } = tab
  await agent.ready
  expect((await agent.prompt('Who?', { output: names })).reason).toBe('awaiting_tool_results')

  await agent.addToolResult('call_1', 'Ada')
  await quiet()

  expect(agent.getState()).toMatchObject({ lastReason: 'stop', output: 'there' })
  expect(askedOf(tab)[1]).toEqual(askedOf(tab)[0])
})

test('[O10] a conversation that was moved elsewhere does not go on to the output', async () => {
  const { open } = tabs()
  const tab = open(model([say('Hello.')], [say(misfit)]))
  const { agent } = tab
  await agent.ready
  await agent.prompt('Hi.')
  await agent.prompt('Who?', { output: names, maxRepairs: 0 })
  const [, hello] = agent.getState().messages

  agent.moveHead(hello?.id ?? null)

  await expect(agent.continue()).rejects.toThrow('There is nothing to continue')
})

test('[O12] [D4] a follower asks for an output as the owner does, and has what its own schema makes of it', async () => {
  const { open, pass } = tabs()
  const asks = model([say(misfit)], [say(json)])
  const owner = open(asks)
  await owner.agent.ready
  const { agent } = open()
  await pass(0)
  expect(agent.getState().access).toBe('follower')

  const output = z.object({ names: names.shape.names.transform((all) => all.join()) })
  const done = agent.prompt('Who?', { output, maxRepairs: 1 })
  await pass(100)
  await pass(100)

  expect(await done).toMatchObject({ reason: 'stop', output: { names: 'Ada' } })
  expect(asks.requests).toHaveLength(2)
})

test('[O12] [O10] a follower goes on to an output that only lacked its check', async () => {
  const { open, pass } = tabs()
  const owner = open(model([say(json)]))
  await owner.agent.ready
  let isBroken = true
  const breaks = names.refine(() => {
    if (isBroken) throw new Error('Not now')
    return true
  })
  await owner.agent.prompt('Who?', { output: breaks })
  isBroken = false
  const { agent } = open()
  await pass(0)

  const done = agent.continue({ output: names })
  await pass(100)
  await pass(100)

  expect(await done).toMatchObject({ reason: 'stop', messages: [], output: { names: ['Ada'] } })
})

test('[O12] what only its own schema refuses ends the run of a follower as an error', async () => {
  const { open, pass } = tabs()
  const owner = open(model([say(json)]))
  await owner.agent.ready
  const { agent } = open()
  await pass(0)

  const done = agent.prompt('Who?', { output: names.refine(() => false, 'No such person') })
  await pass(100)
  await pass(100)

  expect(await done).toMatchObject({
    reason: 'error',
    error: { kind: 'invalid_output', message: expect.stringContaining('No such person') },
  })
})

test('[O10] [D37] a kept state has what is still to come', async () => {
  const { open, storage } = tabs()
  const first = open(model([say(misfit)]))
  await first.agent.ready
  await first.agent.prompt('Who?', { output: names, maxRepairs: 0 })
  first.agent.dispose()
  await first.agent.stored()

  const { agent } = open(model(), storage)
  await agent.ready

  expect(agent.getState()).toMatchObject({ output: 'missing', error: { kind: 'invalid_output' } })
})

describe('[O12] [O11] [D76] a check of the own schema of a follower', () => {
  const hangs = names.refine(() => new Promise<boolean>(() => {}))
  const unchecked = /^The answer fits the JSON Schema of the output, but could not be checked/

  /** A follower that checks an answer its owner has found to fit. */
  async function checking(output: typeof names, more: PromptOptions = {}) {
    const { open, pass } = tabs()
    await open(model([say(json)])).agent.ready
    const { agent } = open()
    await pass(0)
    const done = agent.prompt('Who?', { output, ...more })
    await pass(100)
    await pass(100)
    return { agent, pass, done }
  }

  test('ends as an error if it has no answer within hookTimeoutMs', async () => {
    const { done, pass } = await checking(hangs)

    await pass(10_000)

    expect(await done).toMatchObject({
      reason: 'error',
      text: json,
      error: { kind: 'internal', message: expect.stringMatching(unchecked), retryable: false },
    })
  })

  test('ends as an error if it throws', async () => {
    const { done } = await checking(
      names.refine(() => {
        throw new Error('Not now')
      }),
    )

    const { reason, error } = await done

    expect({ reason, kind: error?.kind }).toEqual({ reason: 'error', kind: 'internal' })
    expect(error?.message).toMatch(unchecked)
    expect(error?.message).toContain('(Not now)')
  })

  test('is not waited for once the agent is disposed', async () => {
    const { agent, done } = await checking(hangs)

    agent.dispose()

    const result = await done
    expect(result.reason).toBe('interrupted')
    expect(result).not.toHaveProperty('output')
  })

  test('[O9] is not waited for after a stop', async () => {
    const stop = new AbortController()
    const { done } = await checking(hangs, { signal: stop.signal })

    stop.abort()

    const result = await done
    expect(result.reason).toBe('aborted')
    expect(result).not.toHaveProperty('output')
  })
})

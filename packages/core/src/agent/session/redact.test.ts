import { openDB } from 'idb'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AgentEvent, isDurable } from '../../kernel/events.ts'
import { quiet } from '../../runtime/environment.fixtures.ts'
import { type Fault, faultyStorage } from '../../storage/faulty-storage.fixtures.ts'
import { installFakeIndexedDb } from '../../storage/indexeddb/fake-indexed-db.fixtures.ts'
import { indexedDb } from '../../storage/indexeddb/indexed-db.ts'
import { memoryStorage } from '../../storage/memory.ts'
import { type Claim, type SessionStorage, StorageError } from '../../storage/port.ts'
import { call, hold, say, scriptedModel } from '../../testing/scripted.ts'
import { defineTool } from '../../tools/definition.ts'
import { inClient } from '../../tools/page/client-host.ts'
import { toolResult } from '../../tools/result/tool-result.ts'
import { pageTools, watchedAgent } from '../agent.fixtures.ts'
import { AgentBusyError } from '../usage-errors.ts'
import { describeRedactedSessions } from './redaction.contract.ts'
import { dumpOf } from './stored-dump.fixtures.ts'
import { sessionId, type Tabs, tabs } from './tabs.fixtures.ts'

installFakeIndexedDb()

const secret = 'hunter2'

describeRedactedSessions('memoryStorage', () => {
  const storage = memoryStorage()
  return { storage, dump: () => textOf(storage) }
})

let databases = 0
describeRedactedSessions('indexedDb', () => {
  const name = `redact-${databases++}`
  return { storage: indexedDb({ name }), dump: async () => dumpOf(await openDB(name)) }
})

async function textOf(storage: SessionStorage): Promise<string> {
  const entries = await storage.list()
  const sessions = entries.map(async ({ sessionId, keys }) => [
    await storage.read(sessionId),
    await Promise.all(keys.map(async (key) => (await storage.readBytes(sessionId, key))?.text())),
  ])
  return JSON.stringify([entries, await Promise.all(sessions)])
}

test('[D31] of a result its call goes, and the rest of the answer stays', async () => {
  const { open, storage } = tabs((environment) => ({
    tools: pageTools(environment, { work: () => secret, other: () => 'kept result' }),
  }))
  const { agent } = open(
    scriptedModel(
      [say('Both.'), call('work', { q: secret }), call('other', { q: 'kept' })],
      [done],
    ),
  )
  await agent.prompt('Go.')
  const [result] = agent.getTranscript().filter(({ role }) => role === 'toolResult')

  await agent.redact(result?.id ?? '')

  const { messages, toolCalls } = agent.getState()
  expect(messages[1]).toMatchObject({
    content: [{ text: 'Both.' }, {}, { argsText: '{"q":"kept"}' }],
  })
  expect(messages[1]).not.toHaveProperty('redacted')
  expect(toolCalls.get('call_1')).toMatchObject({
    ...{ status: 'succeeded', hasValidArgs: false, args: '[redacted]' },
    result: { content: [{ text: '[redacted]' }], redacted: true },
  })
  expect(toolCalls.get('call_2')).toMatchObject({ hasValidArgs: true, args: { q: 'kept' } })
  expect(JSON.stringify(await storage.read(sessionId))).not.toContain(secret)
})

test('[D31] goes from calls on a branch that was left, too', async () => {
  const { open } = tabs((environment) => ({
    tools: pageTools(environment, { work: () => secret }),
  }))
  const { agent } = open(scriptedModel([call('work')], [done], [say('Other.')]))
  await agent.prompt('Go.')
  const [question, answer] = agent.getState().messages
  await agent.prompt('Go elsewhere.', { after: question?.parentId ?? null })
  expect(agent.getState().toolCalls.get('call_1')?.result).toBeDefined()

  await agent.redact(answer?.id ?? '')
  await quiet()

  expect(JSON.stringify(agent.getState().toolCalls.get('call_1') ?? null)).not.toContain(secret)
})

test('[D31] in a session without a storage, too', async () => {
  const { agent, events } = watchedAgent({ model: scriptedModel([say(secret)], [say('Yes.')]) })
  await agent.prompt('Go.')
  const { id = '' } = agent.getState().messages[1] ?? {}

  await agent.redact(id)
  await agent.redact(id)
  await quiet()

  expect(agent.getState().messages[1]).toMatchObject({ redacted: true })
  expect(events.filter(({ type }) => type === 'message_redacted')).toHaveLength(1)
  expect(await agent.prompt('Still there?')).toMatchObject({ reason: 'stop', text: 'Yes.' })
  await expect(agent.redact('unknown')).rejects.toMatchObject({ code: 'unknown_message' })
  for await (const event of agent.events()) {
    expect(JSON.stringify(event)).not.toContain(secret)
    if (event.type === 'agent_end' && event.seq > 10) break
  }
})

test.for([true, false])(
  '[D92] [D131] a prompt that a hook refused goes by the id of its run, once, stored: %s',
  async (isStored) => {
    const hooks = { onUserPromptSubmit: () => ({ block: true, reason: `No ${secret}.` }) as const }
    const options = { model: scriptedModel([say('Yes.')], [say('Still.')]), hooks }
    const { open } = tabs()
    const { agent, eventsOf } = isStored
      ? open(options.model, undefined, options)
      : watchedAgent(options)
    await agent.prompt(`It is ${secret}.`)
    agent.configure({ hooks: [] })
    await agent.prompt('Are you there?')
    const [refused, said] = eventsOf('agent_start').map(({ runId }) => runId ?? '')

    await agent.redact(refused ?? '')
    await agent.redact(refused ?? '')
    await quiet()

    for await (const event of agent.events()) {
      expect(JSON.stringify(event)).not.toContain(secret)
      if (event.type === 'message_redacted') break
    }
    expect(eventsOf('message_redacted')).toMatchObject([{ messageId: refused }])
    expect(await agent.prompt('Still?')).toMatchObject({ reason: 'stop' })
    // What became a message goes with that.
    await expect(agent.redact(said ?? '')).rejects.toMatchObject({ code: 'unknown_message' })
  },
)

describe('[D34] is refused, and nothing is changed:', () => {
  test('while a run is active', async () => {
    const { open, pass, storage } = tabs()
    const { agent } = open(scriptedModel([say(secret), hold()]))
    void agent.prompt('Go.')
    await pass(0)
    const before = await storage.read(sessionId)

    const redacted = agent.redact(agent.getState().messages[0]?.id ?? '')

    await expect(redacted).rejects.toMatchObject({
      name: 'AgentBusyError',
      message: expect.stringContaining('abort()'),
    })
    expect(await storage.read(sessionId)).toEqual(before)
    agent.abort()
    await quiet()
  })

  test('for a message that is not there', async () => {
    const { open, storage } = tabs()
    const { agent } = open(scriptedModel([say(secret)]))
    await agent.prompt('Go.')
    const before = await storage.read(sessionId)

    await expect(agent.redact('msg_99')).rejects.toMatchObject({ code: 'unknown_message' })

    expect(await storage.read(sessionId)).toEqual(before)
  })

  test('for an answer whose calls are open, until they are cancelled', async () => {
    const { open } = tabs(() => ({ tools: inClient([pick]) }))
    const { agent } = open(scriptedModel([say(secret), call('pick', { q: secret })]))
    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'awaiting_tool_results' })
    const [question, answer] = agent.getState().messages

    const redacted = agent.redact(answer?.id ?? '')

    await expect(redacted).rejects.toMatchObject({ code: 'unanswered_calls' })
    await agent.redact(question?.id ?? '')
    expect(agent.getState().toolCalls.active).toMatchObject([{ toolCallId: 'call_1' }])
    agent.moveHead(question?.id ?? '')
    await agent.redact(answer?.id ?? '')
  })

  test('by a storage that cannot remove anything', async () => {
    const { redact: _, ...storage } = memoryStorage()
    const { open } = tabs(undefined, storage)
    const { agent } = open(scriptedModel([say(secret)]))
    await agent.prompt('Go.')
    const before = await storage.read(sessionId)

    const redacted = agent.redact(agent.getState().messages[1]?.id ?? '')

    await expect(redacted).rejects.toMatchObject({ code: 'not_supported' })
    expect(await storage.read(sessionId)).toEqual(before)
  })
})

describe('several agents on the session', () => {
  test('[D40] a follower asks the owner; every agent shows it, and the owner stays the owner', async () => {
    const { owner, followers } = await threeTabs()
    const [asking, other] = followers
    const { id } = answerOf(owner)

    await asking.agent.redact(id)
    await quiet()

    for (const { agent } of [owner, asking, other]) {
      expect(JSON.stringify(agent.getState())).not.toContain(secret)
      expect(answerOf({ agent })).toMatchObject({ id, redacted: true })
      expect(JSON.stringify(await allEvents(agent))).not.toContain(secret)
    }
    expect(owner.agent.getState().access).toBe('owner')
    expect(asking.agent.getState().access).toBe('follower')
    expect(owner.eventsOf('message_redacted')).toMatchObject([{ wishId: expect.any(String) }])
  })

  test('[D40] listeners get what is new to them, and nothing twice', async () => {
    const { owner, followers } = await threeTabs()
    const all = [owner, ...followers]
    const before = all.map(({ events }) => events.length)

    await owner.agent.redact(answerOf(owner).id)
    await quiet()

    for (const [index, { events }] of all.entries()) {
      const news = events.slice(before[index]).filter(isDurable)
      expect(news.map(({ type }) => type)).toEqual(['message_redacted', 'session_opened'])
    }
  })

  test('[D40] nor after another redaction', async () => {
    const { owner, followers } = await threeTabs()
    await owner.agent.redact(answerOf(owner).id)
    await quiet()

    await owner.agent.redact(owner.agent.getState().messages[0]?.id ?? '')
    await quiet()

    for (const { events } of [owner, ...followers]) {
      const seqs = events.filter(isDurable).map(({ seq }) => seq)
      expect(seqs).toEqual([...new Set(seqs)])
    }
  })

  test('[D40] goes on as before: a follower prompts, another one takes over', async () => {
    const { owner, followers, pass } = await threeTabs()
    const [asking, other] = followers
    await owner.agent.redact(answerOf(owner).id)
    await quiet()

    expect(await asking.agent.prompt('And?')).toMatchObject({ text: 'Second.' })
    const taken = other.agent.takeOver()
    await pass(0)
    await taken

    expect(other.agent.getState().access).toBe('owner')
    expect(JSON.stringify(other.agent.getState())).not.toContain(secret)
    await quiet()
    expect(owner.agent.getState().messages).toEqual(other.agent.getState().messages)
  })

  test('[D40] goes from a follower that was opened while a call of it waited for a person', async () => {
    const { open, pass } = tabs((environment) => ({
      tools: pageTools(environment, { send: () => 'sent' }, { needsApproval: true }),
    }))
    const owner = open(scriptedModel([call('send', { text: secret })], [say('Sent.')]))
    void owner.agent.prompt('Go.')
    await pass(0)
    const follower = open()
    await follower.agent.ready
    const [waiting] = follower.agent.getState().toolCalls.active
    const { toolCallId = '', approval } = waiting ?? {}
    const { argsDigest = '' } = approval ?? {}
    owner.agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
    await pass(0)
    expect(owner.agent.getState().lastReason).toBe('stop')

    await owner.agent.redact(answerOf(owner).id)
    await pass(0)

    expect(follower.agent.getState()).toMatchObject({ access: 'follower', error: null })
    expect(JSON.stringify(follower.agent.getState())).not.toContain(secret)
    expect(follower.agent.getState().messages).toEqual(owner.agent.getState().messages)
  })

  test('[D31] goes from a call that was allowed after a reload, and its events are heard once', async () => {
    const { open, pass } = tabs((environment) => ({
      tools: pageTools(environment, { send: () => 'sent' }, { needsApproval: true }),
    }))
    const before = open(scriptedModel([call('send', { text: secret })]))
    void before.agent.prompt('Go.')
    await pass(0)
    before.agent.dispose()
    await before.agent.stored()
    const { agent, events } = open(scriptedModel([say('Sent.')]))
    await agent.ready
    const [{ toolCallId, approval } = { toolCallId: '' }] = agent.getState().toolCalls.active
    const { argsDigest = '' } = approval ?? {}
    agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
    await pass(0)

    await agent.redact(answerOf({ agent }).id)

    expect(agent.getState()).toMatchObject({ access: 'owner', error: null, lastReason: 'stop' })
    expect(JSON.stringify(agent.getState())).not.toContain(secret)
    const seqs = events.filter(isDurable).map(({ seq }) => seq)
    expect(seqs).toEqual([...new Set(seqs)])
  })

  test('[D40] what several ask for, of a prompt that was refused, is done once, and all of them read of it', async () => {
    const hooks = { onUserPromptSubmit: () => ({ block: true, reason: 'No.' }) as const }
    const { open, pass, storage } = tabs()
    const owner = open(scriptedModel(), undefined, { hooks })
    await owner.agent.prompt(`It is ${secret}.`)
    const runId = owner.eventsOf('agent_start')[0]?.runId ?? ''
    const followers = [open(), open()]
    await Promise.all(followers.map(({ agent }) => agent.ready))
    await owner.agent.redact(runId)

    const asked = followers.map(({ agent }) => agent.redact(runId))
    for (let ms = 0; ms < 20; ms += 1) await pass(1)

    await expect(Promise.all(asked)).resolves.toEqual([undefined, undefined])
    const types = (await storage.read(sessionId)).map(({ type }) => type)
    expect(types.filter((type) => type === 'message_redacted')).toHaveLength(1)
    // One at the start, and one after the redaction.
    expect(types.filter((type) => type === 'session_opened')).toHaveLength(2)
  })

  test('[D40] what is asked meanwhile is done after it', async () => {
    const { owner } = await threeTabs()

    const redacted = owner.agent.redact(answerOf(owner).id)
    await Promise.resolve()
    await Promise.resolve()
    const run = owner.agent.prompt('And?')

    expect(await run).toMatchObject({ reason: 'stop', text: 'Second.' })
    // Either came first: a redaction is refused while a run is active.
    await redacted.catch((error: unknown) => expect(error).toBeInstanceOf(AgentBusyError))
  })

  test.for([0, 1, 10])(
    '[D40] a follower that ends %i turns later is not left waiting',
    async (turns) => {
      const { owner, followers } = await threeTabs()
      const { agent } = followers[0]

      const redacted = agent.redact(answerOf(owner).id)
      redacted.catch(() => {})
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      agent.dispose()

      await expect(redacted).rejects.toThrow('The agent was disposed.')
    },
  )

  test('[D40] what a page of before has missed, it has not kept', async () => {
    const { owner, followers } = await threeTabs()
    const [late] = followers
    late.agent.dispose()
    await owner.agent.redact(answerOf(owner).id)
    owner.agent.dispose()
    await quiet()

    const [, heir] = followers
    await quiet()

    expect(heir.agent.getState().access).toBe('owner')
    expect(JSON.stringify(await allEvents(heir.agent))).not.toContain(secret)
  })

  test('[D40] a session that is only shown refuses it', async () => {
    const { open, storage } = tabs()
    const { agent } = open(scriptedModel([say(secret)]))
    await agent.prompt('Go.')
    agent.dispose()
    await quiet()
    for (let count = 0; count < 2; count += 1) (await storage.claim(sessionId, 'take'))?.release()
    const reader = open()
    await reader.agent.ready

    const redacted = reader.agent.redact(answerOf(reader).id)

    await expect(redacted).rejects.toMatchObject({ code: 'read_only' })
  })
})

describe('a storage with faults', () => {
  test.for<[Fault, boolean]>([
    ['late', true],
    ['unanswered', true],
    ['refused', false],
  ])(
    '[D32] whose answer is %s has done all of it or nothing, and the agent shows which',
    async ([fault, isDone]) => {
      const kept = memoryStorage()
      const storage = faultyStorage(kept, (method) => (method === 'redact' ? fault : 'none'))
      const { open } = tabs(undefined, storage)
      const owner = open(scriptedModel([say(secret)], [say('Second.')]))
      await owner.agent.prompt('Go.')

      const outcome = await owner.agent.redact(answerOf(owner).id).then(
        () => 'done',
        (error: unknown) => error,
      )

      const isStored = JSON.stringify(await kept.read(sessionId)).includes(secret)
      expect(isStored).toBe(!isDone)
      expect(JSON.stringify(owner.agent.getState()).includes(secret)).toBe(!isDone)
      if (isDone) expect(outcome).toBe('done')
      else expect(outcome).toMatchObject({ name: 'StorageError', message: 'It was refused.' })
      expect(owner.agent.getState().access).toBe('owner')
      expect(await owner.agent.prompt('And?')).toMatchObject({ text: 'Second.' })
    },
  )

  test('[D40] [D4] says to a follower what it says to its owner', async () => {
    const kept = memoryStorage()
    const fault = (method: string): Fault => (method === 'redact' ? 'refused' : 'none')
    const { open } = tabs(undefined, { ...faultyStorage(kept, fault), follow: kept.follow })
    const owner = open(scriptedModel([say(secret)]))
    await owner.agent.prompt('Go.')
    const { agent } = open()
    await agent.ready

    const redacted = agent.redact(answerOf(owner).id)

    await expect(redacted).rejects.toBeInstanceOf(StorageError)
    await expect(redacted).rejects.toMatchObject({ kind: 'unknown', message: 'It was refused.' })
  })

  test('[D32] [D1] an owner that was replaced removes nothing, and says so', async () => {
    const { open, storage } = tabs()
    const owner = open(scriptedModel([say(secret)]))
    await owner.agent.prompt('Go.')
    const { redact } = storage
    if (!redact) throw new Error('It cannot redact.')
    const zombie = {
      ...storage,
      redact: (async (...asked) => {
        await storage.claim(sessionId, 'take')
        return redact(...asked)
      }) satisfies SessionStorage['redact'],
    }
    owner.agent.dispose()
    await quiet()
    const { agent } = open(scriptedModel(), zombie)
    await agent.ready
    await quiet()

    const redacted = agent.redact(answerOf({ agent }).id)

    await expect(redacted).rejects.toMatchObject({ name: 'StorageError', kind: 'not_owner' })
    expect(JSON.stringify(await storage.read(sessionId))).toContain(secret)
    await quiet()
    expect(agent.getState().access).toBe('follower')
  })
})

test('[D44] what lists show of the session goes with its first message, and does not come back', async () => {
  const { open, storage } = tabs()
  const owner = open(scriptedModel([say('One.')], [say('Two.')]))
  await owner.agent.prompt(`It is ${secret}.`)
  expect(JSON.stringify(await storage.list())).toContain(secret)

  await owner.agent.redact(owner.agent.getState().messages[0]?.id ?? '')
  await owner.agent.prompt('And?')

  expect(await storage.list()).toMatchObject([{ topic: '[redacted]', status: 'idle' }])
})

const done = say('Done.')

const pick = defineTool({
  name: 'pick',
  description: 'Has the user pick a date.',
  place: 'client',
  inputSchema: z.looseObject({}),
})

type Tab = ReturnType<Tabs['open']>

/** An owner whose answer holds the secret, and two followers. */
async function threeTabs() {
  const { open, pass } = tabs()
  const owner = open(scriptedModel([say(secret)], [say('Second.')]))
  await owner.agent.prompt('Go.')
  const followers = [open(), open()] as const
  for (const { agent } of followers) await agent.ready
  await quiet()
  return { owner, followers, pass }
}

function answerOf({ agent }: Pick<Tab, 'agent'>) {
  const answer = agent.getState().messages.find(({ role }) => role === 'assistant')
  if (!answer) throw new Error('There is no answer.')
  return answer
}

/** The stored events, as an agent gives them. */
async function allEvents(agent: Tab['agent']): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = []
  const stop = new AbortController()
  void (async () => {
    for await (const event of agent.events({ signal: stop.signal })) events.push(event)
  })()
  await quiet()
  stop.abort()
  return events
}

test('[D32] [D61] without space for anything else it is done, and the owner goes on', async () => {
  const memory = memoryStorage()
  let isFull = false
  const storage: SessionStorage = {
    ...memory,
    claim: async (...given) => {
      const claim = await memory.claim(...given)
      if (!claim) return null
      const keepBytes: Claim['keepBytes'] = async (...asked) => {
        if (isFull) throw new StorageError('full', 'There is no space.')
        return claim.keepBytes(...asked)
      }
      return { ...claim, keepBytes }
    },
  }
  const { open, pass } = tabs(
    (environment) => ({
      tools: pageTools(environment, {
        draw: () =>
          toolResult({
            content: secret,
            artifacts: [{ name: 'a.bin', mediaType: 'x/y', data: new Blob([secret]) }],
          }),
      }),
    }),
    storage,
  )
  const { agent } = open(scriptedModel([call('draw')], [say('Drawn.')], [say('More.')]))
  await agent.prompt('Draw.')
  const answer = agent.getState().messages.find(({ role }) => role === 'assistant')
  isFull = true

  await agent.redact(answer?.id ?? '')
  await pass(100)

  expect(agent.getState()).toMatchObject({ access: 'owner', storage: 'memory' })
  expect(await agent.prompt('And?')).toMatchObject({ text: 'More.' })
  expect((await memory.list())[0]?.keys).toEqual([])
})

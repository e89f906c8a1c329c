import { expect, test } from 'vitest'
import { z } from 'zod'
import { createDeferred } from '../../internal/deferred.ts'
import type { JsonObject } from '../../internal/json.ts'
import { textOf } from '../../kernel/message.ts'
import { quiet } from '../../runtime/environment.fixtures.ts'
import { memoryStorage } from '../../storage/memory.ts'
import { type Claim, type SessionStorage, StorageError } from '../../storage/port.ts'
import { call, hold, say, scriptedModel } from '../../testing/scripted.ts'
import { defineTool } from '../../tools/definition.ts'
import { inClient } from '../../tools/page/client-host.ts'
import { toolResult } from '../../tools/result/tool-result.ts'
import { ToolError } from '../../tools/tool-error.ts'
import { pageTools } from '../agent.fixtures.ts'
import { sessionId, type Tabs, tabs } from './tabs.fixtures.ts'

/** A storage whose next call of one method may fail. */
function failing(storage: SessionStorage, method: 'claim' | 'read') {
  let isBroken = false
  const fail = async () => {
    if (isBroken) throw new StorageError('unknown', 'The disk is gone.')
  }
  const broken: SessionStorage = {
    ...storage,
    ...(method === 'claim'
      ? {
          claim: async (id, mode, signal) => {
            if (mode === 'take') await fail()
            return storage.claim(id, mode, signal)
          },
        }
      : {
          read: async (...asked) => {
            await fail()
            return storage.read(...asked)
          },
        }),
  }
  return {
    storage: broken,
    break: (now: boolean) => {
      isBroken = now
    },
  }
}

test('of two tabs that take over at once one owns the session, and the other follows', async () => {
  const { open, pass } = tabs()
  const first = open()
  await first.agent.ready
  const others = [open(), open()]
  for (const { agent } of others) await agent.ready

  await Promise.all(others.map(({ agent }) => agent.takeOver()))
  await pass(0)

  const access = [first, ...others].map(({ agent }) => agent.getState().access)
  expect(access.toSorted()).toEqual(['follower', 'follower', 'owner'])
})

test('taking over twice at once is taking over', async () => {
  const { open, pass } = tabs()
  const first = open()
  await first.agent.ready
  const { agent } = open(scriptedModel([say('Mine.')]))
  await agent.ready

  await Promise.all([agent.takeOver(), agent.takeOver()])
  await pass(0)

  expect(agent.getState().access).toBe('owner')
  expect(await agent.prompt('Go.')).toMatchObject({ text: 'Mine.' })
})

test('an agent that is disposed while it takes over leaves the session to the next', async () => {
  const { open, pass } = tabs()
  const first = open()
  await first.agent.ready
  const second = open()
  await second.agent.ready
  void second.agent.takeOver()
  second.agent.dispose()
  await second.agent.stored()
  await pass(3000)
  first.agent.dispose()
  await first.agent.stored()
  await pass(0)

  const next = open(scriptedModel([say('Here.')]))
  await next.agent.ready
  expect(next.agent.getState().access).toBe('owner')
})

test('[D76] an agent that is disposed while it takes over takes nothing any more, and settles at once', async () => {
  const { open, pass, storage, environment } = tabs()
  const first = open()
  await first.agent.ready
  const claimed: string[] = []
  const claim: SessionStorage['claim'] = (id, mode, signal) => {
    claimed.push(mode)
    return storage.claim(id, mode, signal)
  }
  // The owner does not answer.
  const connect: SessionStorage['connect'] = (...asked) => ({
    ...storage.connect(...asked),
    post: () => {},
  })
  const second = open(scriptedModel(), { ...storage, claim, connect })
  await second.agent.ready
  const taken = second.agent.takeOver()
  await quiet()
  second.agent.dispose()

  await taken
  await pass(10_000)

  expect(claimed).not.toContain('take')
  expect(first.agent.getState().access).toBe('owner')
  expect(environment.clock.pending()).toBe(0)
})

test('an owner that gave way to a tab which cannot take over owns the session again', async () => {
  const { open, pass, storage } = tabs()
  const first = open(scriptedModel([say('Mine still.')]))
  await first.agent.ready
  const broken = failing(storage, 'claim')
  const second = open(scriptedModel(), broken.storage)
  await second.agent.ready
  broken.break(true)

  await expect(second.agent.takeOver()).rejects.toMatchObject({ name: 'StorageError' })
  expect(second.agent.getState().access).toBe('follower')
  second.agent.dispose()
  await pass(3000)
  await pass(0)

  expect(first.agent.getState().access).toBe('owner')
  expect(await first.agent.prompt('Go.')).toMatchObject({ text: 'Mine still.' })
  expect((await storage.read(sessionId)).at(-1)).toMatchObject({ type: 'agent_end' })
})

test('a tab that cannot read what it takes over follows on', async () => {
  const { open, pass, storage } = tabs()
  const first = open(scriptedModel([say('Mine.')]))
  await first.agent.ready
  const broken = failing(storage, 'read')
  const second = open(scriptedModel(), broken.storage)
  await second.agent.ready
  broken.break(true)

  await expect(second.agent.takeOver()).rejects.toMatchObject({ name: 'StorageError' })
  broken.break(false)
  await pass(3000)
  await pass(0)

  expect(await second.agent.prompt('Still there?')).toMatchObject({ reason: 'stop' })
})

test('a claim that comes too late is given back', async () => {
  const { open, pass, storage } = tabs()
  const gate = createDeferred<void>()
  const slow: SessionStorage = {
    ...storage,
    claim: async (...asked) => {
      await gate.promise
      return storage.claim(...asked)
    },
  }
  const { agent } = open(scriptedModel(), slow)
  const ready = agent.ready.catch((error: unknown) => error)
  await quiet()
  await pass(10_000)
  expect(await ready).toMatchObject({ name: 'StorageError' })

  gate.resolve()
  await quiet()
  expect(await storage.claim(sessionId, 'if-free')).not.toBeNull()
})

test('a prompt that no owner has answered ends with its agent as interrupted', async () => {
  const { open, storage } = tabs()
  const claim = await storage.claim(sessionId, 'if-free')
  const { agent } = open()
  await agent.ready
  const asked = agent.prompt('Is an owner there?')
  await quiet()

  agent.dispose()

  expect(await asked).toMatchObject({ reason: 'interrupted' })
  claim?.release()
})

test('a prompt that its signal stopped before an owner came does not run', async () => {
  const { open, storage, pass } = tabs()
  const claim = await storage.claim(sessionId, 'if-free')
  const { agent } = open(scriptedModel([say('On'), hold()]))
  await agent.ready
  const stop = new AbortController()
  const asked = agent.prompt('Go.', { signal: stop.signal })
  await quiet()
  stop.abort()

  claim?.release()
  await pass(100)

  expect(await asked).toMatchObject({ reason: 'aborted' })
})

test.for([
  ['a Blob', new Blob(['abc'])],
  ['a Map', new Map([['a', 1]])],
  ['a BigInt', 1n],
] as const)('[S000-3] a follower refuses %s as an answer, and goes on', async ([, answer]) => {
  const { open, pass } = tabs((environment) => ({
    tools: pageTools(environment, { ask: () => 'never' }),
    toolMode: 'manual',
  }))
  const owner = open(scriptedModel([call('ask')], [say('Thanks.')]))
  await owner.agent.prompt('Go.')
  const follower = open()
  await follower.agent.ready

  await expect(follower.agent.addToolResult('call_1', answer)).rejects.toThrow(TypeError)
  await expect(follower.agent.addToolResult('call_1', { file: answer })).rejects.toThrow(TypeError)
  owner.agent.dispose()
  await owner.agent.stored()
  await pass(0)

  expect(follower.agent.getState()).toMatchObject({ access: 'owner', error: null })
  await follower.agent.addToolResult('call_1', 'an answer')
})

test('[T2] an answer of a follower that toolResult made is one, but not inside of other data: the model does not read its details', async () => {
  const { open } = tabs((environment) => ({
    tools: pageTools(environment, { ask: () => 'never' }),
    toolMode: 'manual',
  }))
  const owner = open(scriptedModel([call('ask')]))
  await owner.agent.prompt('Go.')
  const follower = open()
  await follower.agent.ready

  const answer = toolResult({ output: 42, content: 'An answer.', details: { secret: 1 } })
  await expect(follower.agent.addToolResult('call_1', { rows: answer })).rejects.toThrow(
    'a toolResult at rows is not JSON',
  )
  await follower.agent.addToolResult('call_1', answer)
  await quiet()

  expect(owner.agent.getTranscript().at(-1)).toMatchObject({
    content: [{ type: 'text', text: 'An answer.' }],
  })
})

test('[D4] [T3] a ToolError as the answer of a follower fails the call as that of its owner does', async () => {
  const { open } = tabs(() => ({
    tools: inClient([
      defineTool({
        ...{ name: 'ask', description: '', place: 'client' },
        ...{ inputSchema: z.object({}), outputSchema: z.object({ sum: z.number() }) },
      }),
    ]),
  }))
  const owner = open(scriptedModel([call('ask'), call('ask')], [say('Too bad.')]))
  await owner.agent.prompt('Go.')
  const follower = open()
  await follower.agent.ready

  const error = ToolError.notFound('No such city.')
  await owner.agent.addToolResult('call_1', error)
  await follower.agent.addToolResult('call_2', error)
  await quiet()

  const [first, second] = owner.eventsOf('tool_execution_end')
  expect(first).toMatchObject({ isError: true, result: { content: [{ text: 'No such city.' }] } })
  expect(second).toMatchObject({ isError: true, result: first?.result })
})

test('[I37] a follower edits a question', async () => {
  const { open } = tabs()
  const owner = open(scriptedModel([say('One.')], [say('Two.')]))
  await owner.agent.prompt('Frist.')
  const follower = open()
  await follower.agent.ready

  expect(await follower.agent.prompt('First.', { after: null })).toMatchObject({ text: 'Two.' })

  const texts = ({ agent }: typeof owner) =>
    agent.getState().messages.map(({ content }) => textOf(content))
  expect(texts(owner)).toEqual(['First.', 'Two.'])
  expect(texts(follower)).toEqual(['First.', 'Two.'])
})

test('an answer that no owner has taken is rejected when its agent is disposed', async () => {
  const { open, storage } = tabs()
  const claim = await storage.claim(sessionId, 'if-free')
  const { agent } = open()
  await agent.ready
  const answered = agent.addToolResult('call_1', 1)
  await quiet()

  agent.dispose()

  await expect(answered).rejects.toThrow('disposed')
  claim?.release()
})

test('[I1] an owner whose storage fails leaves the session to a follower', async () => {
  const { open, pass, storage } = tabs()
  let isGone = false
  const fragile: SessionStorage = {
    ...storage,
    append: async (...asked) => {
      if (isGone) throw new StorageError('unknown', 'The disk is gone.')
      await storage.append(...asked)
    },
  }
  const owner = open(scriptedModel([say('On and on'), hold()]), fragile)
  await owner.agent.ready
  const follower = open(scriptedModel([say('Here.')]))
  await follower.agent.ready
  const done = owner.agent.prompt('Go.')
  await pass(100)
  expect(follower.agent.getState().status).toBe('streaming')

  isGone = true
  owner.agent.followUp('More.')
  await pass(100)

  expect(await done).toMatchObject({ reason: 'error', error: { kind: 'storage' } })
  expect(follower.agent.getState()).toMatchObject({
    access: 'owner',
    status: 'ready',
    lastReason: 'interrupted',
  })
  expect(await follower.agent.prompt('Still there?')).toMatchObject({ text: 'Here.' })
})

test('created, disposed and created again at once, an agent owns its session', async () => {
  const { open, pass } = tabs(undefined, memoryStorage())
  const first = open()
  first.agent.dispose()
  const second = open(scriptedModel([say('Here.')]))
  await second.agent.ready
  await pass(0)

  expect(await second.agent.prompt('Go.')).toMatchObject({ text: 'Here.' })
  expect(second.agent.getState().access).toBe('owner')
})

test('a tab whose session is taken while it takes it over follows', async () => {
  const { open, pass, storage } = tabs()
  const first = open()
  await first.agent.ready
  const gate = createDeferred<void>()
  let isSlow = false
  const slow: SessionStorage = {
    ...storage,
    read: async (...asked) => {
      if (isSlow) await gate.promise
      return storage.read(...asked)
    },
  }
  const second = open(scriptedModel(), slow)
  await second.agent.ready
  const third = open(scriptedModel([say('Third.')]))
  await third.agent.ready
  isSlow = true
  const taking = second.agent.takeOver()
  await pass(0)
  const takingToo = third.agent.takeOver()
  await pass(3000)
  await takingToo
  gate.resolve()
  await taking
  await pass(0)

  expect(second.agent.getState().access).toBe('follower')
  expect(third.agent.getState().access).toBe('owner')
  expect(await second.agent.prompt('Go.')).toMatchObject({ text: 'Third.' })
})

test('[D6] an owner that was replaced without a lock does not give the session away in place of the owner', async () => {
  const { open, pass, storage } = tabs()
  const gate = createDeferred<void>()
  let isSlow = false
  // A page that sees no locks of others takes the session, and does not notice when it is taken.
  const lockless: SessionStorage = {
    ...storage,
    claim: async (id, mode, signal) => {
      const claim = await storage.claim(id, mode === 'if-free' ? 'take' : mode, signal)
      return claim && { ...claim, lost: new AbortController().signal }
    },
    append: async (...asked) => {
      if (isSlow) await gate.promise
      return storage.append(...asked)
    },
  }
  const replaced = open(scriptedModel(), lockless)
  await replaced.agent.ready
  await quiet()
  const owner = open(scriptedModel([say('Hello.')]), lockless)
  await owner.agent.prompt('Hi.')
  const next = open()
  await next.agent.ready
  await quiet()
  isSlow = true
  owner.agent.followUp('And this.')
  await quiet()

  const taken = next.agent.takeOver()
  await pass(1000)
  gate.resolve()
  await pass(0)
  await taken

  expect(next.agent.getState().access).toBe('owner')
  expect(next.agent.getState().queues.followUp).toHaveLength(1)
})

test('[D80] what the owner refuses of a command without a promise is shown, and is no uncaught error', async () => {
  const { open } = tabs()
  const owner = open(scriptedModel([say('Hello.')]))
  await owner.agent.prompt('Hi.')
  const { agent } = open()
  await agent.ready

  agent.moveHead('msg_nowhere')
  await quiet()

  expect(agent.getState().refused).toMatchObject({ command: 'moveHead' })
  expect(agent.getState().refused?.message).toContain('msg_nowhere')
  agent.moveHead(null)
  await quiet()
  expect(agent.getState().refused).toBeNull()
})

test('[D76] a command whose message was lost is asked again', async () => {
  const { open, pass, storage } = tabs()
  const owner = open(scriptedModel([say('Here.')]))
  await owner.agent.ready
  let isLost = true
  const lossy: SessionStorage = {
    ...storage,
    connect: (...asked) => {
      const { post, ...line } = storage.connect(...asked)
      return { ...line, post: (message) => isLost || post(message) }
    },
  }
  const { agent } = open(scriptedModel(), lossy)
  await agent.ready
  const asked = agent.prompt('Hi.')
  await quiet()

  isLost = false
  await pass(2000)

  expect(await asked).toMatchObject({ text: 'Here.' })
})

test('[D78] a command that was done before its owner ended is not done by the next one', async () => {
  const { open, pass, storage } = tabs()
  const mute: SessionStorage = {
    ...storage,
    connect: (id, listener) => ({ ...storage.connect(id, listener), post: () => {} }),
  }
  const owner = open(scriptedModel([say('Half'), hold()]), mute)
  await owner.agent.ready
  const next = open(scriptedModel([say('Twice.')]))
  await next.agent.ready
  const asked = next.agent.prompt('Once.')
  await pass(100)

  await Promise.all([next.agent.takeOver(), pass(3000)])
  await pass(3000)

  expect(await asked).toMatchObject({ reason: 'interrupted' })
  const said = (await storage.read(sessionId)).filter((event) => event.type === 'agent_start')
  expect(said).toMatchObject([{ wishId: 'wish_1' }])
})

test('[D76] an answer of an owner that was replaced before it was stored is rejected', async () => {
  const { open, pass, storage } = tabs((environment) => ({
    tools: pageTools(environment, { ask: () => 'never' }),
    toolMode: 'manual',
  }))
  const unaware: SessionStorage = {
    ...storage,
    claim: async (...asked) => {
      const claim = await storage.claim(...asked)
      return claim && { ...claim, lost: new AbortController().signal }
    },
  }
  const owner = open(scriptedModel([call('ask')]), unaware)
  await owner.agent.prompt('Go.')
  const claim = await storage.claim(sessionId, 'take')

  const answered = owner.agent.addToolResult('call_1', 1).catch((error: unknown) => error)
  await pass(0)

  expect(await answered).toMatchObject({ name: 'StorageError', kind: 'not_owner' })
  claim?.release()
})

test('[D76] what is asked of an owner while it gives the session away is done by the next one', async () => {
  const { open, pass } = tabs()
  const owner = open(scriptedModel())
  await owner.agent.ready
  const next = open(scriptedModel([say('Mine.')]))
  await next.agent.ready
  const taken = next.agent.takeOver()
  // As many turns as the request takes to come.
  for (let turn = 0; turn < 7; turn += 1) await Promise.resolve()
  const asked = owner.agent.prompt('Who is it?')
  await taken
  await pass(2000)

  expect(await asked).toMatchObject({ reason: 'stop', text: 'Mine.' })
})

test('[D51] [D76] a follower stops at what a newer version writes, says so, and refuses what it was asked', async () => {
  const storage = memoryStorage()
  const { open } = tabs(undefined, storage)
  const owner = open(scriptedModel([say('Hello.')]))
  await owner.agent.prompt('Hi.')
  const { agent } = open()
  await agent.ready
  const head = (await storage.read(sessionId)).length
  const claim = await storage.claim(sessionId, 'take')
  const asked = agent.prompt('Is anyone there?').catch((error: unknown) => error)
  const [event] = await storage.read(sessionId)
  const newer = JSON.parse(JSON.stringify({ ...event, seq: head, v: 2 }))

  await storage.append(sessionId, { head, epoch: claim?.epoch ?? 0 }, [newer])
  await quiet()

  expect(agent.getState()).toMatchObject({ access: 'read-only', storage: 'newer' })
  expect(await asked).toMatchObject({ name: 'AgentUsageError', code: 'read_only' })
  await expect(agent.prompt('Go.')).rejects.toThrow('by a newer version of this app')
  await storage.delete(sessionId)
})

test.for(['at rest', 'in the middle of a run', 'before anything else was stored'] as const)(
  '[D100] a session that is deleted ends for all who have it open, and what they show stays: %s',
  async (when) => {
    const { open, pass, storage } = tabs()
    const isRunning = when !== 'at rest'
    const model = scriptedModel([say('One.'), ...(isRunning ? [hold()] : [])])
    if (when !== 'before anything else was stored') {
      const before = open(scriptedModel([say('Before.')]))
      await before.agent.prompt('Before?')
      before.agent.dispose()
      await before.agent.stored()
    }
    const owner = open(model)
    await owner.agent.ready
    const follower = open()
    await follower.agent.ready
    const [own, asked] = [owner.agent.prompt('Hi.'), follower.agent.prompt('And?').catch(String)]
    await pass(100)
    const shown = owner.agent.getState().messages
    expect(shown.at(-1)).toMatchObject({ content: [{ text: 'One.' }] })

    await storage.delete(sessionId)
    await pass(5000)

    expect((await own).reason).toBe(isRunning ? 'error' : 'stop')
    await asked
    for (const { agent } of [owner, follower]) {
      expect(agent.getState()).toMatchObject({ storage: 'cleared', error: { kind: 'storage' } })
      expect(agent.getState().messages).toEqual(shown)
      await expect(agent.takeOver()).rejects.toMatchObject({ kind: 'cleared' })
    }
    expect(await storage.list()).toEqual([])
    const next = open(scriptedModel([say('Again.')]))
    expect(await next.agent.prompt('Hi again.')).toMatchObject({ text: 'Again.' })
    expect(next.agent.getState().access).toBe('owner')
  },
)

test('[D100] a follower that gets a session which was deleted and made again does not go on with the old one', async () => {
  const { open, pass, storage } = tabs()
  const owner = open(scriptedModel([say('One.')]))
  await owner.agent.prompt('Hi.')
  // It learns of the deletion by nothing but what is stored.
  const deaf: SessionStorage = {
    ...storage,
    claim: async (...asked) => {
      await released.promise
      return storage.claim(...asked)
    },
  }
  const released = createDeferred<void>()
  const { agent } = open(scriptedModel(), {
    ...storage,
    claim: async (id, mode) => (mode === 'wait' ? deaf.claim(id, mode) : storage.claim(id, mode)),
  })
  await agent.ready
  const shown = agent.getState().messages
  await storage.delete(sessionId)
  await pass(0)

  released.resolve()
  await pass(100)

  expect(agent.getState()).toMatchObject({ storage: 'cleared', messages: shown })
  expect(await storage.read(sessionId)).toEqual([])
})

/** An agent that only shows the session: pages before it broke while they opened it. */
async function reader({ open, storage }: Pick<Tabs, 'open' | 'storage'>) {
  for (const _ of ['once', 'twice']) (await storage.claim(sessionId, 'take'))?.release()
  const tab = open(scriptedModel([say('Mine.')]))
  await tab.agent.ready
  expect(tab.agent.getState().access).toBe('read-only')
  return tab
}

test('[D106] an agent that only shows a session ends with it, and shows nothing of the next one', async () => {
  const { open, pass, storage } = tabs()
  const before = open(scriptedModel([say('Before.')]))
  await before.agent.prompt('Before?')
  before.agent.dispose()
  await before.agent.stored()
  const { agent } = await reader({ open, storage })
  const shown = agent.getState().messages

  await storage.delete(sessionId)
  const next = open(scriptedModel([say('One.')], [say('Two.')]))
  await next.agent.prompt('Again.')
  await next.agent.prompt('And again.')
  await pass(100)

  expect(agent.getState()).toMatchObject({ storage: 'cleared', error: { kind: 'storage' } })
  expect(agent.getState().messages).toEqual(shown)
  await expect(agent.takeOver()).rejects.toMatchObject({ kind: 'cleared' })
  expect(next.agent.getState().access).toBe('owner')
})

test('[D106] a session that is deleted while it is opened ends for who opens it', async () => {
  const memory = memoryStorage()
  const { open, pass } = tabs()
  const owner = open(scriptedModel([say('One.')]), memory)
  await owner.agent.prompt('Hi.')
  const opening = createDeferred<void>()
  const slow: SessionStorage = {
    ...memory,
    read: async (...asked) => {
      await opening.promise
      return memory.read(...asked)
    },
  }
  const { agent } = open(scriptedModel(), slow)
  await quiet()
  await memory.delete(sessionId)
  opening.resolve()
  await pass(0)

  expect(agent.getState()).toMatchObject({ storage: 'cleared', messages: [] })
  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'error', error: { kind: 'storage' } })
  expect(await memory.list()).toEqual([])
})

test('[D107] an owner has 3 s to store what it did before an agent that only showed the session has it', async () => {
  const { open, pass, storage } = tabs()
  const { agent } = await reader({ open, storage })
  const writing = createDeferred<void>()
  let isSlow = false
  const slow: SessionStorage = {
    ...storage,
    append: async (...asked) => {
      if (isSlow) await writing.promise
      return storage.append(...asked)
    },
  }
  const owner = open(scriptedModel([say('One.')]), slow)
  await owner.agent.ready
  await owner.agent.takeOver()
  isSlow = true
  const done = owner.agent.prompt('Go.')
  await pass(0)

  const taken = agent.takeOver()
  await pass(2999)
  expect(agent.getState().access).toBe('read-only')
  writing.resolve()
  await pass(0)
  await taken
  await pass(0)

  const messages = [{ content: [{ text: 'Go.' }] }, { content: [{ text: 'One.' }] }]
  expect(agent.getState()).toMatchObject({ access: 'owner', messages })
  expect(owner.agent.getState().access).toBe('follower')
  expect(await done).toMatchObject({ text: 'One.' })
})

test('[D108] a file that is written as its session is deleted stays in no session', async () => {
  const memory = memoryStorage()
  const storage: SessionStorage = {
    ...memory,
    claim: async (...given) => {
      const claim = await memory.claim(...given)
      if (!claim) return null
      const keepBytes: Claim['keepBytes'] = async (...asked) => {
        await memory.delete(sessionId)
        return claim.keepBytes(...asked)
      }
      return { ...claim, keepBytes }
    },
  }
  const { open, pass } = tabs(
    (environment) => ({
      tools: pageTools(environment, {
        draw: () =>
          toolResult({ artifacts: [{ name: 'a', mediaType: 'x/y', data: new Blob(['abc']) }] }),
      }),
    }),
    storage,
  )
  const { agent } = open(scriptedModel([call('draw')], [say('Drawn.')]))

  const { reason } = await agent.prompt('Draw.')
  await pass(100)

  expect(reason).toBe('error')
  expect(agent.getState().storage).toBe('cleared')
  const next = open(scriptedModel([say('One.')]), memory)
  await next.agent.prompt('Hi.')
  expect(await memory.list()).toMatchObject([{ bytes: 0, keys: [] }])
})

test.for(['full', 'unknown'] as const)(
  '[D5] [D105] a follower that cannot claim the session when its owner goes tries again: %s',
  async (kind) => {
    const { open, pass, storage } = tabs()
    let isBroken = true
    const broken: SessionStorage = {
      ...storage,
      claim: async (id, mode, signal) => {
        const claim = await storage.claim(id, mode, signal)
        if (mode !== 'wait' || !isBroken) return claim
        claim?.release()
        throw new StorageError(kind, 'It cannot be written.')
      },
    }
    const owner = open(scriptedModel([say('One.')]))
    await owner.agent.prompt('Hi.')
    const { agent } = open(scriptedModel([say('Two.')]), broken)
    await agent.ready
    owner.agent.dispose()
    await pass(0)
    const asked = agent.prompt('And?')
    await pass(2000)
    expect(agent.getState().access).toBe('follower')

    isBroken = false
    await pass(2000)

    expect(await asked).toMatchObject({ text: 'Two.' })
    expect(agent.getState().access).toBe('owner')
  },
)

test('[D4] a run that a listener starts in place of the one that a follower asked for leaves no error behind', async () => {
  const { open, pass } = tabs((environment) => ({
    tools: pageTools(environment, { pay: () => 'paid' }, { needsApproval: true }),
    approvalMode: 'pause',
  }))
  const owner = open(scriptedModel([call('pay')], [say('By the listener.')], [say('Done.')]))
  await owner.agent.prompt('Pay.')
  const { agent } = open()
  await agent.ready
  await pass(0)
  let runs = 0
  owner.agent.subscribe(({ type }) => {
    if (type === 'tool_cancel_requested' && runs++ === 0) void owner.agent.regenerate()
  })

  const asked = agent.regenerate()
  await pass(0)
  await pass(100)

  expect(await asked).toMatchObject({ text: 'By the listener.' })
  // Whatever is rejected and not handled fails the test run.
  expect(runs).toBe(1)
})

test('[D76] [D80] what no owner could read is refused where it is asked', async () => {
  const { open, pass } = tabs()
  await open().agent.ready
  const { agent } = open()
  await pass(0)
  expect(agent.getState().access).toBe('follower')
  const none = 7 as unknown as string

  for (const ask of [
    () => agent.prompt('Go.', { after: none }),
    () => agent.retryTool(none),
    () => agent.addToolResult(none, 1),
    () => agent.addToolResult('call_1', 1, { toolName: none }),
    () => agent.redact(none),
  ]) {
    await expect(ask()).rejects.toThrow(
      /^The tab that owns the session cannot be asked this: (after|toolCallId|toolName|messageId) must be a text/,
    )
  }
  const args = { do: () => {} } as unknown as JsonObject
  agent.respondToApproval('call_1', { decision: 'edit', argsDigest: 'd', args })
  await pass(0)
  expect(agent.getState().refused).toEqual({
    command: 'respondToApproval',
    message:
      'The tab that owns the session cannot be asked this: response.args must be JSON of at most 600 levels.',
  })
})

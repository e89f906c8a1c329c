import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { pageTools } from '../agent/agent.fixtures.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { textOf } from '../kernel/message.ts'
import { quiet } from '../runtime/environment.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import { type SessionStorage, StorageError } from '../storage/port.ts'
import { call, hold, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { toolResult } from '../tools/result/tool-result.ts'
import { SessionError } from './session-error.ts'
import { close, stored } from './sessions.fixtures.ts'

describe('create', () => {
  test('[D20] makes a session with a title before its first message, which an agent opens', async () => {
    const { sessions, open } = stored()

    const sessionId = await sessions.create({ title: 'A trip' })

    expect(await sessions.list()).toEqual([
      {
        ...{ sessionId, title: 'A trip', status: 'idle', isOpen: false },
        ...{ createdAt: 0, updatedAt: 0, events: 1, bytes: 0 },
      },
    ])
    const { agent } = open({ model: scriptedModel([say('Hello.')]), sessionId })
    expect(await agent.prompt('Hi.')).toMatchObject({ text: 'Hello.' })
    expect(agent.getState().access).toBe('owner')
    expect(await sessions.list()).toMatchObject([{ sessionId, title: 'A trip', isOpen: true }])
  })

  test('[D20] refuses a name that is taken, and changes nothing', async () => {
    const { sessions, storage, open } = stored()
    await sessions.create({ sessionId: 'mine', title: 'First' })
    const before = await storage.list()
    const { agent } = open({ model: scriptedModel(), sessionId: 'open, without events' })
    await storage.claim('open, without events', 'if-free')

    for (const sessionId of ['mine', 'mine', 'mine', 'open, without events']) {
      const created = sessions.create({ sessionId, title: 'Second' })
      await expect(created).rejects.toBeInstanceOf(SessionError)
      await expect(created).rejects.toMatchObject({ kind: 'name_taken' })
    }

    agent.dispose()
    await storage.delete('open, without events')
    expect(await storage.list()).toEqual(before)
    // Not counted as openings that broke the page.
    expect(await storage.claim('mine', 'take')).toMatchObject({ unconfirmed: 0 })
  })

  test('[D20] of two with one name at the same time one is made', async () => {
    const { sessions } = stored()

    const created = await Promise.allSettled([
      sessions.create({ sessionId: 'mine', title: 'a' }),
      sessions.create({ sessionId: 'mine', title: 'b' }),
    ])

    expect(created.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await sessions.list()).toHaveLength(1)
  })

  test('[D20] leaves nothing when the storage fails', async () => {
    const storage = memoryStorage()
    const full: SessionStorage = {
      ...storage,
      append: () => Promise.reject(new StorageError('full', 'There is no space.')),
    }

    const created = stored(full).sessions.create({ sessionId: 'mine' })

    await expect(created).rejects.toMatchObject({ name: 'StorageError', kind: 'full' })
    expect(await stored(storage).sessions.create({ sessionId: 'mine' })).toBe('mine')
  })
})

describe('rename and delete', () => {
  test('[D21] a title is one short line without what deceives', async () => {
    const { sessions } = stored()
    const sessionId = await sessions.create({ title: 'A' })

    await sessions.rename(sessionId, ` Trip\n to\u202e Berlin \u0007👨‍👩‍👧 ${'long '.repeat(100)}`)

    const [session] = await sessions.list()
    expect(session?.title).toMatch(/^Trip to Berlin 👨‍👩‍👧 long .*…$/u)
    expect(session?.title).toHaveLength(100)
  })

  test('[D12] [D21] a deleted session is gone', async () => {
    const { sessions } = stored()
    const sessionId = await sessions.create()
    const kept = await sessions.create()

    await sessions.delete(sessionId)

    expect(await sessions.list()).toMatchObject([{ sessionId: kept }])
  })

  test('[D21] an unknown session cannot be renamed, forked or deleted', async () => {
    const { sessions } = stored()

    for (const done of [
      sessions.rename('other', 'A'),
      sessions.fork('other', 'msg_1'),
      sessions.delete('other'),
    ]) {
      await expect(done).rejects.toMatchObject({ name: 'SessionError', kind: 'unknown_session' })
    }
    expect(await sessions.list()).toEqual([])
  })
})

describe('fork', () => {
  test('[D23] begins as the other session, up to a message, and goes its own way', async () => {
    const { sessions, open, storage } = stored()
    const first = open({
      model: scriptedModel([say('One.')], [say('Two.')], [say('Three.')]),
      sessionId: 'first',
    })
    await first.agent.prompt('1')
    await first.agent.prompt('2')
    const before = await storage.read('first')
    const answer = first.agent.getState().messages[1]?.id ?? ''

    const sessionId = await sessions.fork('first', answer, { title: 'Other way' })

    expect(await sessions.list()).toMatchObject([
      { sessionId: 'first', isOpen: true },
      { sessionId, title: 'Other way', status: 'idle', isOpen: false },
    ])
    const fork = open({ model: scriptedModel([say('Otherwise.')]), sessionId })
    await fork.agent.ready
    expect(wordsIn(fork.agent)).toEqual(['1', 'One.'])
    await fork.agent.prompt('2b')
    expect(wordsIn(fork.agent)).toEqual(['1', 'One.', '2b', 'Otherwise.'])
    await first.agent.prompt('3')
    expect(wordsIn(first.agent)).toEqual(['1', 'One.', '2', 'Two.', '3', 'Three.'])
    expect((await storage.read('first')).slice(0, before.length)).toEqual(before)
    expect(new Set((await storage.read(sessionId)).map((one) => one.sessionId))).toEqual(
      new Set([sessionId]),
    )
  })

  test.for([
    ['a prompt', 0, ['Go.']],
    ['an answer with calls', 1, ['Go.', '']],
  ] as const)('[D23] in the middle of a run at %s starts nothing', async ([, at, words]) => {
    const { sessions, open, environment, pass } = stored()
    const ran: string[] = []
    const tools = pageTools(environment, {
      ask: ({ toolCallId }) => {
        ran.push(toolCallId)
        return new Promise(() => {})
      },
    })
    const first = open({ model: scriptedModel([call('ask')]), sessionId: 'first', tools })
    void first.agent.prompt('Go.')
    first.agent.followUp('And then?')
    await pass(0)
    expect(ran).toHaveLength(1)

    const sessionId = await sessions.fork('first', first.agent.getState().messages[at]?.id ?? '')

    expect((await sessions.list()).find((one) => one.sessionId === sessionId)?.status).toBe('idle')
    const model = scriptedModel([say('Now.')])
    const fork = open({ model, sessionId, tools })
    await fork.agent.ready
    await pass(0)
    expect(wordsIn(fork.agent)).toEqual(words)
    expect(fork.agent.getState()).toMatchObject({
      isActive: false,
      lastReason: 'interrupted',
      queues: { steering: [], followUp: [] },
    })
    const { toolCalls } = fork.agent.getState()
    expect(toolCalls.get('call_1')?.status).toBe(at === 0 ? undefined : 'interrupted')
    expect(model.requests).toEqual([])
    expect(ran).toHaveLength(1)
    expect(await fork.agent.prompt('Go on.')).toMatchObject({ text: 'Now.' })
    await close(first)
  })

  test.for([
    ['an answer with calls', 'assistant'],
    ['the first of its results', 'toolResult'],
  ] as const)('[D23] at %s has the results of all of them', async ([, role]) => {
    const { sessions, open, storage, environment } = stored()
    const tools = pageTools(environment, { ask: (_, { text }) => `To ${String(text)}: yes.` })
    const calls = [call('ask', { text: 'A' }), call('ask', { text: 'B' })]
    const model = scriptedModel(calls, [say('Two yes.')], [say('Bye.')])
    const first = open({ model, sessionId: 'first', tools })
    await first.agent.prompt('Go.')
    await first.agent.prompt('Thanks.')

    const ends = (await storage.read('first')).filter((event) => event.type === 'message_end')
    const at = ends.find(({ message }) => message.role === role)?.message.id ?? ''

    const sessionId = await sessions.fork('first', at)

    const fork = open({ model: scriptedModel([say('So both.')]), sessionId, tools })
    await fork.agent.ready
    expect(fork.agent.getTranscript().map(({ content }) => textOf(content))).toEqual([
      ...['Go.', '', 'To A: yes.', 'To B: yes.'],
    ])
    expect(await fork.agent.continue()).toMatchObject({ text: 'So both.' })
  })

  test('[D23] at an answer whose calls were given up has nothing of what was said then', async () => {
    const { sessions, open, storage } = stored()
    const pick = defineTool({
      name: 'pick',
      description: 'Asks a person.',
      place: 'client',
      inputSchema: z.object({}),
    })
    const tools = inClient([pick])
    const model = scriptedModel([call('pick')], [say('As you like.')])
    const first = open({ model, sessionId: 'first', tools })
    await first.agent.prompt('Go.')
    const answer = first.agent.getState().messages[1]?.id ?? ''
    await first.agent.prompt('A secret instead.')

    const sessionId = await sessions.fork('first', answer)

    expect(JSON.stringify(await storage.read(sessionId))).not.toContain('secret')
    const fork = open({ model: scriptedModel(), sessionId, tools })
    await fork.agent.ready
    expect(fork.agent.getState().toolCalls.get('call_1')?.status).toBe('interrupted')
  })

  test('[D23] a call that waits for a person waits in the session alone, not in its fork', async () => {
    const { sessions, open, environment, pass } = stored()
    const tools = pageTools(environment, { send: () => 'sent' })
    const hooks = { beforeToolCall: () => ({ requireApproval: true }) }
    const first = open({ model: scriptedModel([call('send')]), sessionId: 'first', tools, hooks })
    void first.agent.prompt('Go.')
    await pass(0)
    expect(first.agent.getState().status).toBe('awaiting_approval')

    const sessionId = await sessions.fork('first', first.agent.getState().messages[1]?.id ?? '')

    const fork = open({ model: scriptedModel(), sessionId, tools, hooks })
    await fork.agent.ready
    expect(fork.agent.getState().status).toBe('ready')
    expect(first.agent.getState().status).toBe('awaiting_approval')
  })

  test('[D23] takes the files along that its events name, and those of the app', async () => {
    const { sessions, open, storage, environment } = stored()
    const file = (text: string) => ({
      ...{ name: 'a.txt', mediaType: 'text/plain' },
      data: new Blob([text]),
    })
    const tools = pageTools(environment, {
      draw: (_, { text }) => toolResult({ content: 'Drawn.', artifacts: [file(String(text))] }),
    })
    const model = scriptedModel(
      [call('draw', { text: 'one' })],
      [say('One.')],
      [call('draw', { text: 'two' })],
      [say('Two.')],
    )
    const first = open({ model, tools, sessionId: 'first' })
    await first.agent.prompt('Go.')
    const at = first.agent.getState().messages.at(-1)?.id ?? ''
    await first.agent.prompt('Again.')
    await storage.writeBytes('first', 'file:notes', new Blob(['notes']))

    const sessionId = await sessions.fork('first', at)
    await sessions.delete('first')

    const keys = (await storage.list())[0]?.keys ?? []
    const texts = keys.map(async (key) => (await storage.readBytes(sessionId, key))?.text())
    expect((await Promise.all(texts)).toSorted()).toEqual(['notes', 'one'])
  })

  test('[D23] at a message that does not exist, that is not complete or under a name that is taken leaves nothing', async () => {
    const { sessions, open, storage, pass } = stored()
    const first = open({ model: scriptedModel([say('On'), hold()]), sessionId: 'first' })
    void first.agent.prompt('Go.')
    await pass(0)
    const [prompt, answer] = first.agent.getState().messages
    const before = await storage.list()

    for (const messageId of ['msg_99', answer?.id ?? '', '']) {
      await expect(sessions.fork('first', messageId)).rejects.toMatchObject({
        kind: 'unknown_message',
      })
    }
    await expect(
      sessions.fork('first', prompt?.id ?? '', { sessionId: 'first' }),
    ).rejects.toMatchObject({ kind: 'name_taken' })

    expect(await storage.list()).toEqual(before)
  })

  test('[D134] leaves out a file that is damaged', async () => {
    const { open, storage } = stored()
    const first = open({ model: scriptedModel([say('Yes.')]), sessionId: 'first' })
    await first.agent.prompt('Go.')
    const at = first.agent.getState().messages.at(-1)?.id ?? ''
    for (const key of ['lost', 'notes']) await storage.writeBytes('first', key, new Blob([key]))
    const readBytes: SessionStorage['readBytes'] = async (sessionId, key) => {
      if (key === 'lost') throw new StorageError('damaged', 'It was changed.')
      return storage.readBytes(sessionId, key)
    }

    const sessionId = await stored({ ...storage, readBytes }).sessions.fork('first', at)

    expect((await storage.list(sessionId))[0]?.keys).toEqual(['notes'])
  })

  test('[D23] of a damaged session begins before the damage or is refused', async () => {
    const { sessions, open, storage } = stored()
    const first = open({ model: scriptedModel([say('One.')], [say('Two.')]), sessionId: 'first' })
    await first.agent.prompt('1')
    await first.agent.prompt('2')
    const [, early, , late] = first.agent.getState().messages
    await close(first)
    const events = await storage.read('first')
    const place = events.findLastIndex((event) => event.type === 'turn_start')
    const damaged: SessionStorage = {
      ...storage,
      read: async (sessionId, from = 0, to) =>
        (await storage.read(sessionId))
          .map((event, seq) =>
            seq === place && sessionId === 'first' ? ({} as DurableEvent) : event,
          )
          .slice(from, to),
    }

    expect(await stored(damaged).sessions.fork('first', early?.id ?? '')).toMatch(/^session_/)
    await expect(stored(damaged).sessions.fork('first', late?.id ?? '')).rejects.toMatchObject({
      kind: 'damaged',
    })
    expect(await sessions.list()).toHaveLength(2)
  })

  test.for(['writeBytes', 'append', 'describe'] as const)(
    '[D23] leaves nothing when %s fails',
    async (method) => {
      const { open, storage } = stored()
      const first = open({ model: scriptedModel([say('One.')]), sessionId: 'first' })
      await first.agent.prompt('1')
      await storage.writeBytes('first', 'file:notes', new Blob(['notes']))
      const before = await storage.list()
      const broken: SessionStorage = {
        ...storage,
        [method]: () => Promise.reject(new StorageError('full', 'There is no space.')),
      }
      const messageId = first.agent.getState().messages[0]?.id ?? ''

      const forked = stored(broken).sessions.fork('first', messageId, { sessionId: 'fork' })

      await expect(forked).rejects.toMatchObject({ name: 'StorageError', kind: 'full' })
      expect(await storage.list()).toEqual(before)
      expect(await storage.readBytes('fork', 'file:notes')).toBeUndefined()
    },
  )

  test('[D23] one whose page ends in the middle is in no list, and what it left is removed by the next one', async () => {
    const { open, pass, sessions, storage } = stored()
    const first = open({ model: scriptedModel([say('One.')]), sessionId: 'first' })
    await first.agent.prompt('1')
    await storage.writeBytes('first', 'file:notes', new Blob(['notes']))
    const messageId = first.agent.getState().messages[0]?.id ?? ''
    const dying: SessionStorage = {
      ...storage,
      // The page ends here.
      writeBytes: async (...asked) => {
        await storage.writeBytes(...asked)
        return new Promise(() => {})
      },
      claim: async (...asked) => {
        const claim = await storage.claim(...asked)
        claim?.release()
        return claim
      },
    }
    void stored(dying).sessions.fork('first', messageId, { sessionId: 'half' })
    await pass(0)
    expect(await storage.readBytes('half', 'file:notes')).toBeDefined()
    expect((await sessions.list()).map(({ sessionId }) => sessionId)).toEqual(['first'])
    await expect(sessions.export('half')).rejects.toMatchObject({ kind: 'unknown_session' })

    await sessions.fork('first', messageId, { sessionId: 'whole' })

    expect(await storage.readBytes('half', 'file:notes')).toBeUndefined()
    expect((await storage.list()).map(({ sessionId }) => sessionId).toSorted()).toEqual([
      'first',
      'whole',
    ])
  })
})

interface Talk {
  readonly getState: () => {
    readonly messages: readonly { readonly content: Parameters<typeof textOf>[0] }[]
  }
}

function wordsIn({ getState }: Talk): readonly string[] {
  return getState().messages.map(({ content }) => textOf(content))
}

describe('redact', () => {
  const secret = 'hunter2'

  test('[D41] removes a message from a session that is not open, and every list shows it', async () => {
    const { sessions, storage, open, pass } = stored()
    const first = open({ model: scriptedModel([say('I see.')]), sessionId: 'mine' })
    await first.agent.prompt(secret)
    const [question] = first.agent.getState().messages
    await close(first)
    const lists: unknown[] = []
    onTestFinished(sessions.watch((list) => lists.push(list)))
    await pass(50)

    await sessions.redact('mine', question?.id ?? '')
    await sessions.redact('mine', question?.id ?? '')
    await pass(50)

    expect(JSON.stringify(await storage.read('mine'))).not.toContain(secret)
    expect(JSON.stringify(lists[0])).toContain(secret)
    expect(JSON.stringify(lists.at(-1))).not.toContain(secret)
    const again = open({ model: scriptedModel([say('Hello.')]), sessionId: 'mine' })
    expect(await again.agent.prompt('Hi.')).toMatchObject({ text: 'Hello.' })
    expect(again.agent.getState().messages[0]).toMatchObject({ redacted: true })
    // Not counted as openings that broke the page.
    expect(await storage.claim('mine', 'take')).toMatchObject({ unconfirmed: 0 })
  })

  test('[D41] refuses a session that is open, and removes nothing', async () => {
    const { sessions, storage, open } = stored()
    const { agent } = open({ model: scriptedModel([say(secret)]), sessionId: 'mine' })
    await agent.prompt('Go.')
    const before = await storage.read('mine')

    const redacted = sessions.redact('mine', agent.getState().messages[1]?.id ?? '')

    await expect(redacted).rejects.toMatchObject({ name: 'SessionError', kind: 'open' })
    expect(await storage.read('mine')).toEqual(before)
  })

  test.for<[string, string]>([
    ['unknown_session', 'other'],
    ['unknown_message', 'mine'],
  ])('[D41] refuses what is not there: %s', async ([kind, sessionId]) => {
    const { sessions, open } = stored()
    const watched = open({ model: scriptedModel([say(secret)]), sessionId: 'mine' })
    await watched.agent.prompt('Go.')
    await close(watched)

    const redacted = sessions.redact(sessionId, 'msg_99')

    await expect(redacted).rejects.toMatchObject({ name: 'SessionError', kind })
  })

  test('[D41] refuses a session whose run was cut off, until an agent has opened it', async () => {
    const { sessions, storage, open } = stored()
    const cut = open({ model: scriptedModel([say(secret), hold()]), sessionId: 'mine' })
    void cut.agent.prompt('Go.')
    await quiet()
    const [question] = cut.agent.getState().messages
    await close(cut)

    const redacted = sessions.redact('mine', question?.id ?? '')

    await expect(redacted).rejects.toMatchObject({ name: 'SessionError', kind: 'unfinished' })
    const next = open({ model: scriptedModel(), sessionId: 'mine' })
    await next.agent.ready
    await close(next)
    await sessions.redact('mine', question?.id ?? '')
    expect((await storage.read('mine')).at(-1)).toMatchObject({ type: 'message_redacted' })
  })

  test('[D41] refuses a storage that cannot remove anything', async () => {
    const { redact: _, ...storage } = memoryStorage()
    const { sessions } = stored(storage)
    const sessionId = await sessions.create()

    const redacted = sessions.redact(sessionId, 'msg_1')

    await expect(redacted).rejects.toMatchObject({ name: 'SessionError', kind: 'not_supported' })
  })

  test('[D42] what is made of it afterwards has nothing of it; a fork from before keeps it', async () => {
    const { sessions, storage, open } = stored()
    const watched = open({ model: scriptedModel([say(secret)]), sessionId: 'mine' })
    await watched.agent.prompt('Go.')
    const answer = watched.agent.getState().messages[1]?.id ?? ''
    await close(watched)
    const before = await sessions.fork('mine', answer)

    await sessions.redact('mine', answer)

    const exported = await new Response(await sessions.export('mine')).text()
    const { sessionId: copy } = await sessions.import(new Blob([exported]))
    const fork = await sessions.fork('mine', answer)
    for (const sessionId of ['mine', fork, copy]) {
      expect(JSON.stringify(await storage.read(sessionId)), sessionId).not.toContain(secret)
    }
    expect(exported).not.toContain(secret)
    expect(JSON.stringify(await storage.read(before))).toContain(secret)
  })
})

test('[D42] a fork does without bytes that are made of the events', async () => {
  const { sessions, storage, open } = stored()
  const watched = open({ model: scriptedModel([say('Hello.')]), sessionId: 'mine' })
  await watched.agent.prompt('Go.')
  const answer = watched.agent.getState().messages[1]?.id ?? ''
  for (const key of ['offthread:state', 'own'])
    await storage.writeBytes('mine', key, new Blob(['1']))

  const fork = await sessions.fork('mine', answer)

  const entry = (await storage.list()).find(({ sessionId }) => sessionId === fork)
  expect(entry?.keys).toEqual(['own'])
})

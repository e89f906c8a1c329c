import { expect, onTestFinished, test, vi } from 'vitest'
import { createDeferred } from '../../internal/deferred.ts'
import type { AgentEvent } from '../../kernel/events.ts'
import { textOf } from '../../kernel/message.ts'
import type { Model } from '../../model/port.ts'
import { quiet } from '../../runtime/environment.fixtures.ts'
import { memoryStorage } from '../../storage/memory.ts'
import { type SessionStorage, StorageError } from '../../storage/port.ts'
import { call, hold, say, scriptedModel } from '../../testing/scripted.ts'
import { toolResult } from '../../tools/result/tool-result.ts'
import { pageTools } from '../agent.fixtures.ts'
import { createAgentIn } from '../create-agent.ts'
import type { Agent } from '../handle.ts'
import { sessionId, type Tab, tabs } from './tabs.fixtures.ts'

test('[D87] [D7] a session in which nothing was said is in no list, however often it is opened', async () => {
  const { open, storage } = tabs()
  for (let times = 0; times < 4; times += 1) {
    const { agent } = open()
    await agent.ready
    await quiet()
    expect(agent.getState().access).toBe('owner')
    agent.dispose()
    await agent.stored()
  }
  expect(await storage.list()).toEqual([])

  const { agent } = open(scriptedModel([say('Hello.')]))
  await agent.prompt('Hi.')

  expect(await storage.list()).toMatchObject([{ sessionId }])
  expect((await storage.read(sessionId)).slice(0, 2)).toMatchObject([
    { type: 'session_opened' },
    { type: 'agent_start' },
  ])
})

test('[D87] [D4] what a follower says in a session without anything is said there', async () => {
  const { open, pass } = tabs()
  const owner = open(scriptedModel([say('From the owner.')]))
  await owner.agent.ready
  const follower = open()
  await follower.agent.ready
  await quiet()

  const asked = follower.agent.prompt('Hi.')
  await pass(0)

  expect(await asked).toMatchObject({ text: 'From the owner.' })
  expect(follower.agent.getState().messages).toEqual(owner.agent.getState().messages)
})

test('[D3] a second agent follows: it has the same messages, and shows that it follows', async () => {
  const { open } = tabs()
  const owner = open(scriptedModel([say('Hello.')]))
  await owner.agent.prompt('Hi.')

  const follower = open()
  await follower.agent.ready

  expect(owner.agent.getState().access).toBe('owner')
  expect(follower.agent.getState()).toMatchObject({ access: 'follower', status: 'ready' })
  expect(follower.agent.getState().messages).toEqual(owner.agent.getState().messages)
})

test('[D3] a follower sees what the owner does, text while it streams', async () => {
  const { open, pass } = tabs()
  const owner = open(scriptedModel([say('Once upon a time'), hold()]))
  await owner.agent.ready
  const follower = open()
  await follower.agent.ready

  void owner.agent.prompt('Tell me.')
  await pass(50)

  expect(follower.agent.getState()).toMatchObject({ status: 'streaming', isActive: true })
  expect(follower.agent.getState().messages).toEqual(owner.agent.getState().messages)
  expect(follower.agent.getState().messages.at(-1)).toMatchObject({
    content: [{ type: 'text', text: 'Once upon a time' }],
  })
  owner.agent.abort()
  await quiet()
  expect(follower.agent.getState().lastReason).toBe('aborted')
})

test('[D3] a follower that comes late has the text so far, and how the calls stand', async () => {
  const { open, pass } = tabs((environment) => ({
    tools: pageTools(environment, {
      wait: ({ onProgress }) => {
        onProgress('half of it')
        return new Promise(() => {})
      },
    }),
  }))
  const owner = open(
    scriptedModel([say('Let me'), call('wait')], [say('It was')], [say('On'), hold()]),
  )
  const done = owner.agent.prompt('Go.')
  await pass(100)
  const early = open()
  await early.agent.ready
  await pass(0)
  expect(early.agent.getState().toolCalls.get('call_1')).toMatchObject({
    status: 'running',
    progress: owner.agent.getState().toolCalls.get('call_1')?.progress,
  })
  owner.agent.cancelTool('call_1')
  await pass(250)
  await done
  void owner.agent.prompt('And?')
  await pass(0)

  const late = open()
  await late.agent.ready
  await pass(100)

  expect(owner.agent.getState().status).toBe('streaming')
  expect(late.agent.getState().messages).toEqual(owner.agent.getState().messages)
  owner.agent.abort()
  await quiet()
})

test('[D91] how far a call came that was stopped, or failed, is shown in every tab, whenever it came', async () => {
  const { open, pass } = tabs((environment) => ({
    tools: pageTools(environment, {
      wait: ({ onUpdate }) => {
        onUpdate({ content: 'Half of it.', details: { rows: 5 } })
        return new Promise(() => {})
      },
      fail: ({ onUpdate }) => {
        onUpdate({ content: 'Nearly.' })
        throw new Error('No.')
      },
    }),
  }))
  const owner = open(scriptedModel([call('wait'), call('fail')], [say('I see.')]))
  const done = owner.agent.prompt('Go.')
  await pass(100)
  const watching = open()
  await watching.agent.ready
  await pass(50)
  owner.agent.cancelTool('call_1')
  await pass(250)
  await done
  const late = open()
  await late.agent.ready
  await pass(50)

  const seen = (agent: Agent) =>
    ['call_1', 'call_2'].map((id) => agent.getState().toolCalls.get(id)?.partial)
  const expected = [
    { content: [{ type: 'text', text: 'Half of it.' }], details: { rows: 5 } },
    { content: [{ type: 'text', text: 'Nearly.' }] },
  ]
  for (const { agent } of [owner, watching, late]) expect(seen(agent)).toEqual(expected)
  for (const { agent } of [owner, watching, late]) agent.dispose()
  await quiet()
  const next = open()
  await next.agent.ready
  expect(seen(next.agent)).toEqual(expected)
})

test('[D137] the end of what a call logged is shown in every tab and after a reload, and no model reads it', async () => {
  const { open, pass, storage } = tabs((environment) => ({
    tools: pageTools(environment, {
      count: ({ log }) => {
        for (let line = 1; line <= 25; line += 1) log(`line ${line}`)
        return 'counted'
      },
    }),
  }))
  const model = scriptedModel([call('count')], [say('I see.')])
  const owner = open(model)
  await owner.agent.prompt('Go.')
  const late = open()
  await late.agent.ready
  await pass(50)

  const logsAt = ({ agent }: Tab) => agent.getState().toolCalls.get('call_1')?.logs
  const texts = Array.from({ length: 25 }, (_, index) => `line ${index + 1}`)
  expect(logsAt(owner)?.lines.map(({ text }) => text)).toEqual(texts)
  const kept = { lines: logsAt(owner)?.lines.slice(-20), dropped: 5 }
  expect(logsAt(late)).toEqual(kept)
  expect(JSON.stringify(model.requests)).not.toContain('line 25')
  for (const { agent } of [owner, late]) agent.dispose()
  await quiet()
  const next = open()
  await next.agent.ready
  expect(logsAt(next)).toEqual(kept)

  const answer = next.agent.getState().messages.find(({ role }) => role === 'assistant')
  await next.agent.redact(answer?.id ?? '')
  expect(JSON.stringify(await storage.read(sessionId))).not.toContain('line 25')
  expect(logsAt(next)).toEqual({ lines: [], dropped: 0 })
})

test('[D3] a follower that misses nothing asks its owner once how things stand', async () => {
  const { open, pass, storage } = tabs((environment) => ({
    tools: pageTools(environment, {
      quick: () => 1,
      work: async ({ onProgress }) => {
        onProgress('half of it')
        await new Promise<void>((resolve) => void environment.clock.setTimer(200, resolve))
        onProgress('the rest')
        return 2
      },
    }),
  }))
  const owner = open(
    scriptedModel([say('Hello.')], [say('One'), call('work'), call('quick')], [say('Two'), hold()]),
  )
  await owner.agent.prompt('Hi.')
  const posted: unknown[] = []
  const follower = open(undefined, {
    ...storage,
    connect: (id, listener) => {
      const line = storage.connect(id, listener)
      return { ...line, post: (message) => void [posted.push(message), line.post(message)] }
    },
  })
  await follower.agent.ready

  void owner.agent.prompt('Go.')
  for (let times = 0; times < 10; times += 1) await pass(100)

  expect(owner.agent.getState().status).toBe('streaming')
  expect(follower.agent.getState().messages).toEqual(owner.agent.getState().messages)
  expect(posted).toEqual([{ say: 'hello' }])
  owner.agent.abort()
  await quiet()
})

test('[D3] a follower sees a call run, also if what is stored next comes at once', async () => {
  const { open, pass } = tabs((environment) => ({
    tools: pageTools(environment, { quick: () => 1, wait: () => new Promise(() => {}) }),
  }))
  const owner = open(scriptedModel([call('quick'), call('wait')]))
  await owner.agent.ready
  const follower = open()
  await follower.agent.ready

  const done = owner.agent.prompt('Go.')
  await pass(200)

  const { toolCalls } = follower.agent.getState()
  expect(toolCalls.get('call_1')?.status).toBe('succeeded')
  expect(toolCalls.get('call_2')?.status).toBe('running')
  owner.agent.abort()
  await pass(250)
  await done
})

test('[D4] a prompt of a follower runs at the owner, and resolves with its result', async () => {
  const { open } = tabs()
  const model = scriptedModel([say('From the owner.')])
  const owner = open(model)
  await owner.agent.ready
  const idle = scriptedModel()
  const follower = open(idle)

  const result = await follower.agent.prompt('Who answers?')

  expect(result).toMatchObject({ reason: 'stop', text: 'From the owner.' })
  expect(result.messages).toHaveLength(2)
  expect(model.requests).toHaveLength(1)
  expect(idle.requests).toEqual([])
})

test('[D4] what the owner refuses is refused with the same error', async () => {
  const { open } = tabs()
  const owner = open(scriptedModel([hold()]))
  await owner.agent.ready
  void owner.agent.prompt('Go.')
  const follower = open()
  await follower.agent.ready

  await expect(follower.agent.prompt('Me, too.')).rejects.toMatchObject({ name: 'AgentBusyError' })
  owner.agent.abort()
  await quiet()
  await expect(follower.agent.addToolResult('call_9', 1)).rejects.toMatchObject({
    name: 'AgentUsageError',
    code: 'unknown_call',
  })
})

test('[D4] [I20] a follower stops the run of the owner', async () => {
  const { open } = tabs()
  const owner = open(scriptedModel([say('On and on'), hold()]))
  const done = owner.agent.prompt('Go.')
  const follower = open()
  await follower.agent.ready
  await quiet()

  follower.agent.abort('Enough.')

  expect(await done).toMatchObject({ reason: 'aborted' })
  await quiet()
  expect(follower.agent.getState()).toMatchObject({ isActive: false, lastReason: 'aborted' })
})

test('[D4] a follower allows, cancels and queues at the owner', async () => {
  const { open, pass } = tabs((environment) => ({
    tools: pageTools(environment, { ask: () => 'done', wait: () => new Promise(() => {}) }),
    hooks: { beforeToolCall: ({ toolName }) => ({ requireApproval: toolName === 'ask' }) },
  }))
  const model = scriptedModel([call('ask'), call('wait')], [say('Fine.')], [say('Later.')])
  const owner = open(model)
  const done = owner.agent.prompt('Go.')
  const follower = open()
  await follower.agent.ready
  await quiet()
  const asked = follower.agent.getState().toolCalls.get('call_1')
  expect(asked?.status).toBe('awaiting_approval')

  follower.agent.respondToApproval('call_1', {
    decision: 'approve',
    argsDigest: asked?.approval?.argsDigest ?? '',
  })
  follower.agent.followUp('And then?')
  await quiet()
  expect(follower.agent.cancelTool('call_2')).toBe(true)
  expect(follower.agent.cancelTool('missing')).toBe(false)
  await pass(250)

  expect(await done).toMatchObject({ reason: 'stop', text: 'Later.' })
  await quiet()
  const calls = follower.agent.getState().toolCalls
  expect(calls.get('call_1')?.status).toBe('succeeded')
  expect(calls.get('call_2')?.status).toBe('cancelled')
  expect(follower.agent.cancelTool('call_2')).toBe(false)
})

test('[D3] [I39] a follower hears all that a short call says, in its order, before the end', async () => {
  const { open } = tabs((environment) => ({
    tools: pageTools(environment, {
      work: ({ onProgress, custom }) => {
        onProgress({ status: 'fetching' })
        custom('rows', { n: 1 })
        custom('kept', { n: 2 }, { durable: true })
        onProgress({ status: 'complete' })
        return 'done'
      },
    }),
  }))
  const owner = open(scriptedModel([call('work')], [say('Fine.')]))
  await owner.agent.ready
  const follower = open()
  await follower.agent.ready
  await quiet()

  await owner.agent.prompt('Go.')
  await quiet()

  const said = follower.events.flatMap((event) => {
    if (event.type === 'tool_progress') return [event.status]
    if (event.type === 'tool_custom') return [event.name]
    return event.type === 'tool_execution_end' ? ['end'] : []
  })
  expect(said).toEqual(['fetching', 'rows', 'kept', 'complete', 'end'])
})

test('[Q3] a follower takes back what it sees, also when others were queued and delivered meanwhile', async () => {
  const { open, pass } = tabs()
  const owner = open(scriptedModel([hold()], [say('Two.')], [say('Three.')]))
  const done = owner.agent.prompt('Go.')
  const follower = open()
  await follower.agent.ready
  for (const text of ['One.', 'Two.', 'Three.', 'Four.']) follower.agent.followUp(text)
  await pass(100)
  const shown = follower.agent.getState().queues.followUp
  const take = (index: number) =>
    follower.agent.takeQueued({ queue: 'followUp', index, content: shown[index] ?? [] })

  // The owner does these in the same moment, before the follower gets them.
  owner.agent.takeQueued({ queue: 'followUp', index: 0, content: shown[0] ?? [] })
  owner.agent.followUp('Five.')
  take(0)
  take(2)
  await pass(100)

  for (const { agent } of [owner, follower]) {
    expect(agent.getState().queues.followUp.map((content) => textOf(content))).toEqual([
      'Two.',
      'Four.',
      'Five.',
    ])
  }
  owner.agent.abort()
  await done
})

test('[D5] when the owner goes, a follower becomes the owner and does what was not answered', async () => {
  const { open } = tabs()
  const owner = open(scriptedModel([say('One.')]))
  await owner.agent.prompt('Go.')
  const model = scriptedModel([say('Two.')])
  const follower = open(model)
  await follower.agent.ready
  owner.agent.dispose()

  const result = await follower.agent.prompt('Still there?')

  expect(result).toMatchObject({ reason: 'stop', text: 'Two.' })
  expect(follower.agent.getState().access).toBe('owner')
  expect(model.requests).toHaveLength(1)
})

test('[D6] [I28] taking over ends the run as interrupted; the old owner follows', async () => {
  const { open, pass } = tabs()
  const owner = open(scriptedModel([say('Half'), hold()]))
  const done = owner.agent.prompt('Go.')
  const next = open(scriptedModel([say('Mine.')]))
  await next.agent.ready
  await quiet()

  await next.agent.takeOver()
  await pass(0)

  expect(next.agent.getState()).toMatchObject({ access: 'owner', lastReason: 'interrupted' })
  expect(owner.agent.getState()).toMatchObject({ access: 'follower', lastReason: 'interrupted' })
  expect(await done).toMatchObject({ reason: 'interrupted' })
  expect(await owner.agent.prompt('And now?')).toMatchObject({ text: 'Mine.' })
})

test('[D1] [D6] an owner that does not answer loses the session after 3 s, and what it writes is not stored', async () => {
  const { open, pass, storage } = tabs()
  const deaf: SessionStorage = {
    ...storage,
    connect: () => ({ ...storage.connect(sessionId, () => {}), post: () => {} }),
  }
  const zombie = open(scriptedModel([say('Never stored.')]), deaf)
  await zombie.agent.ready
  const next = open(scriptedModel([say('Mine.')]))
  await next.agent.ready
  const taken = next.agent.takeOver()
  await pass(2999)
  expect(next.agent.getState().access).toBe('follower')
  await pass(1)
  await taken

  expect(next.agent.getState().access).toBe('owner')
  await quiet()
  expect(zombie.agent.getState().access).toBe('follower')
})

test('[D7] a session that ended two pages while it was opened is only shown, until it is taken over', async () => {
  const { open, storage } = tabs()
  const before = open(scriptedModel([say('Hello.')]))
  await before.agent.prompt('Hi.')
  before.agent.dispose()
  await before.agent.stored()
  for (let times = 0; times < 2; times += 1) (await storage.claim(sessionId, 'take'))?.release()
  const { events } = (await storage.list())[0] ?? {}

  const { agent } = open(scriptedModel([say('Again.')]))
  await agent.ready

  expect(agent.getState()).toMatchObject({ access: 'read-only' })
  expect(agent.getState().messages).toHaveLength(2)
  await expect(agent.prompt('Go.')).rejects.toMatchObject({ code: 'read_only' })
  expect(await storage.list()).toMatchObject([{ events, isOpen: false }])

  await agent.takeOver()
  expect(await agent.prompt('Go.')).toMatchObject({ text: 'Again.' })
})

test('[D7] [D84] nothing runs in a session that is only shown, also if its run was cut off', async () => {
  const { open, storage, pass } = tabs()
  const owner = open(scriptedModel([say('Once'), hold()]))
  await owner.agent.ready
  void owner.agent.prompt('Tell me.')
  await pass(1000)
  const after = memoryStorage()
  await after.append(sessionId, { head: 0, epoch: 0 }, await storage.read(sessionId))
  // Two pages that end while they open it.
  for (let times = 0; times < 2; times += 1) (await after.claim(sessionId, 'if-free'))?.release()

  const { agent } = open(scriptedModel(), after)
  await agent.ready

  expect(agent.getState()).toMatchObject({ access: 'read-only', isActive: false })
  expect(agent.isRunning()).toBe(false)
  owner.agent.abort()
})

test('[D7] a session that opened well opens as often as it is asked for', async () => {
  const { open } = tabs()
  for (let times = 0; times < 4; times += 1) {
    const { agent } = open()
    await agent.ready
    await agent.stored()
    await quiet()
    expect(agent.getState().access).toBe('owner')
    agent.dispose()
    await agent.stored()
  }
})

test('[D130] a claim of no use, because the session could not be read in time, or at all, does not count', async () => {
  const { open, storage, pass, environment } = tabs()
  const before = open(scriptedModel([say('Hello.')]))
  await before.agent.prompt('Hi.')
  before.agent.dispose()
  await before.agent.stored()
  const fail = (own: SessionStorage) =>
    createAgentIn({ model: scriptedModel(), storage: own, sessionId }, environment).ready
  for (let times = 0; times < 3; times += 1) {
    const read = () => Promise.reject(new StorageError('unknown', 'It cannot be read.'))
    await expect(fail({ ...storage, read })).rejects.toThrow('cannot be read')
  }
  for (let times = 0; times < 3; times += 1) {
    const answer = createDeferred<void>()
    const claim: SessionStorage['claim'] = async (...asked) => {
      const claimed = await storage.claim(...asked)
      await answer.promise
      return claimed
    }
    const failed = expect(fail({ ...storage, claim })).rejects.toThrow('in time')
    await pass(10_000)
    await failed
    answer.resolve()
    await pass(0)
  }

  const { agent } = open(scriptedModel([say('Again.')]))
  await agent.ready

  expect(agent.getState().access).toBe('owner')
  expect(await agent.prompt('Go.')).toMatchObject({ text: 'Again.' })
})

test('[D8] [S002-9] what was written of an answer is stored within a second, and shown after the page ended', async () => {
  const { open, pass, storage } = tabs()
  const owner = open(scriptedModel([say('Once upon a time'), hold()]))
  await owner.agent.ready
  void owner.agent.prompt('Tell me.')
  await pass(1000)
  // As the end of a page: nothing more is written.
  const log = await storage.read(sessionId)

  const after = memoryStorage()
  await after.append(sessionId, { head: 0, epoch: 0 }, log)
  const { agent } = open(scriptedModel(), after)
  await agent.ready

  expect(log.filter(({ type }) => type === 'message_checkpoint')).toHaveLength(1)
  expect(agent.getState()).toMatchObject({ lastReason: 'interrupted' })
  expect(agent.getState().messages.at(-1)).toMatchObject({
    role: 'assistant',
    content: [{ type: 'text', text: 'Once upon a time' }],
  })
  owner.agent.abort()
})

test('[D8] what has been written of an answer is stored when the page goes away', async () => {
  const page = stubPage()
  const { open, storage } = tabs()
  const owner = open(scriptedModel([say('Once upon a time'), hold()]))
  await owner.agent.ready
  void owner.agent.prompt('Tell me.')
  await quiet()

  hide(page)
  await quiet()

  expect((await storage.read(sessionId)).at(-1)).toMatchObject({
    type: 'message_checkpoint',
    content: [{ type: 'text', text: 'Once upon a time' }],
  })
  owner.agent.abort()
  await quiet()
})

test('[D85] a page that went away writes no more; one that comes back reads the session and takes it again', async () => {
  const page = stubPage()
  const { open, pass, storage } = tabs()
  const owner = open(scriptedModel([say('Once'), hold()], [say('Again.')]))
  await owner.agent.ready
  const cut = owner.agent.prompt('Tell me.')
  await quiet()
  hide(page)
  await quiet()
  const handedOver = await storage.read(sessionId)

  owner.agent.abort()
  await pass(5000)
  expect(await storage.read(sessionId)).toEqual(handedOver)

  comeBack(page)
  await pass(0)

  expect(await cut).toMatchObject({ reason: 'interrupted' })
  expect(owner.agent.getState()).toMatchObject({ access: 'owner', lastReason: 'interrupted' })
  expect(await owner.agent.prompt('Go.')).toMatchObject({ text: 'Again.' })
})

test('[D85] a page that comes back follows if its session was taken, and so does one that followed', async () => {
  const gone = stubPage()
  const { open, pass, storage } = tabs()
  // A page that is kept learns of nothing.
  const deaf: SessionStorage = {
    ...storage,
    follow: () => () => {},
    connect: () => ({ ...storage.connect(sessionId, () => {}), post: () => {} }),
    claim: async (...asked) => {
      const claim = await storage.claim(...asked)
      return claim && { ...claim, lost: new AbortController().signal }
    },
  }
  const first = open(scriptedModel([say('One.')]), deaf)
  await first.agent.prompt('Go.')
  const second = open(scriptedModel(), deaf)
  await second.agent.ready
  hide(gone)
  stubListeners(new EventTarget())
  const third = open(scriptedModel([say('Three.')]))
  await third.agent.ready
  const taken = third.agent.takeOver()
  await pass(3000)
  await taken
  await third.agent.prompt('Go on.')
  expect([first, second].map(({ agent }) => agent.getState().messages.length)).toEqual([2, 2])

  comeBack(gone)
  await pass(0)

  expect(third.agent.getState().access).toBe('owner')
  for (const { agent } of [first, second]) {
    expect(agent.getState().access).toBe('follower')
    expect(agent.getState().messages).toEqual(third.agent.getState().messages)
  }
})

test('[D5] [D85] a page that the browser keeps for later gives its session, and its turn to own it, to one that is there', async () => {
  const owning = stubPage()
  const { open, pass, storage } = tabs()
  const first = open(scriptedModel([say('Once'), hold()]))
  await first.agent.ready
  const waiting = new EventTarget()
  stubListeners(waiting)
  const second = open()
  await second.agent.ready
  stubListeners(new EventTarget())
  const third = open(scriptedModel([say('Three.')]))
  await third.agent.ready
  const cut = first.agent.prompt('Tell me.')
  await quiet()

  for (const page of [waiting, owning]) hide(page, true)
  await pass(0)

  expect([second, third].map(accessOf)).toEqual(['follower', 'owner'])
  expect((await storage.read(sessionId)).findLast(isCheckpoint)).toMatchObject({
    content: [{ type: 'text', text: 'Once' }],
  })
  expect(third.agent.getState()).toMatchObject({ lastReason: 'interrupted' })
  await third.agent.prompt('Go on.')

  for (const page of [owning, waiting]) comeBack(page)
  await pass(0)

  expect(await cut).toMatchObject({ reason: 'interrupted' })
  expect([first, second, third].map(accessOf)).toEqual(['follower', 'follower', 'owner'])
  expect(first.agent.getState().messages).toEqual(third.agent.getState().messages)
  third.agent.dispose()
  await pass(0)
  expect([first, second].map(accessOf).toSorted()).toEqual(['follower', 'owner'])
})

test('[D79] [D85] a page that only shows its session shows what was written while the browser kept it', async () => {
  const page = stubPage()
  const { open, pass, storage } = tabs()
  let isAway = false
  const shut: SessionStorage = {
    ...storage,
    claim: () => Promise.reject(new StorageError('full', 'There is no space.')),
    follow: (id, from, listener) =>
      storage.follow(id, from, (events) => isAway || listener(events)),
  }
  const reader = open(scriptedModel(), shut)
  await reader.agent.ready
  stubListeners(new EventTarget())
  const owner = open(scriptedModel([say('Hello.')]))
  hide(page, true)
  isAway = true
  await owner.agent.prompt('Hi.')
  await quiet()

  isAway = false
  comeBack(page)
  await pass(0)

  expect(accessOf(reader)).toBe('read-only')
  expect(reader.agent.getState().messages).toEqual(owner.agent.getState().messages)
})

test('[D85] what is said in a page that the browser keeps is done when the page is back', async () => {
  const page = stubPage()
  const { open, pass } = tabs()
  const { agent } = open(scriptedModel([say('Here.')]))
  await agent.ready
  hide(page, true)
  const asked = agent.prompt('Are you there?')
  await pass(0)

  comeBack(page)
  await pass(0)

  expect(await asked).toMatchObject({ text: 'Here.' })
})

test('[D8] a checkpoint of 16,000 characters or more is written when the answer has grown by an eighth', async () => {
  const { open, pass, storage } = tabs()
  let more = createDeferred<void>()
  const model: Model = {
    identity: { provider: 'test', id: 'test' },
    stream: async function* () {
      yield { type: 'text_start', contentIndex: 0 }
      for (const length of [15_999, 1, 2000, 1]) {
        yield { type: 'text_delta', contentIndex: 0, delta: 'a'.repeat(length) }
        await more.promise
        more = createDeferred()
      }
      yield { type: 'text_end', contentIndex: 0 }
      yield { type: 'finish', stopReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
    },
  }
  const owner = open(model)
  await owner.agent.ready
  const done = owner.agent.prompt('Tell me.')
  for (let piece = 0; piece < 4; piece += 1) {
    await pass(1000)
    more.resolve()
  }
  await done

  const checkpoints = (await storage.read(sessionId)).filter(
    (event) => event.type === 'message_checkpoint',
  )
  expect(checkpoints.map(({ content }) => textOf(content).length)).toEqual([15_999, 18_000])
})

test('[D9] the files that tools return are stored with the session', async () => {
  const { open } = tabs((environment) => ({
    tools: pageTools(environment, {
      draw: () =>
        toolResult({
          artifacts: [{ name: 'a.txt', mediaType: 'text/plain', data: new Blob(['abc']) }],
        }),
    }),
  }))
  const before = open(scriptedModel([call('draw')], [say('Here it is.')]))
  await before.agent.prompt('Draw.')
  before.agent.dispose()
  await before.agent.stored()

  const { agent } = open()
  await agent.ready
  const label = agent.getState().toolCalls.get('call_1')?.result?.artifacts?.[0]

  expect(label).toMatchObject({ name: 'a.txt', bytes: 3 })
  const artifact = await agent.getArtifact(label?.artifactId ?? '')
  expect(await artifact?.text()).toBe('abc')
  expect(await agent.getArtifact('artifact_9')).toBeUndefined()
})

test('[D9] a file that cannot be stored is a warning, and stays while the page lives', async () => {
  const memory = memoryStorage()
  const storage: SessionStorage = {
    ...memory,
    claim: async (...asked) => {
      const claim = await memory.claim(...asked)
      const keepBytes = () => Promise.reject(new StorageError('full', 'There is no space.'))
      return claim && { ...claim, keepBytes }
    },
  }
  const { open } = tabs(
    (environment) => ({
      tools: pageTools(environment, {
        draw: () =>
          toolResult({
            artifacts: [{ name: 'a.txt', mediaType: 'text/plain', data: new Blob(['abc']) }],
          }),
      }),
    }),
    storage,
  )
  const { agent, eventsOf } = open(scriptedModel([call('draw')], [say('Here it is.')]))

  expect(await agent.prompt('Draw.')).toMatchObject({ reason: 'stop' })

  const [warning, ...more] = eventsOf('warning')
  expect(warning).toMatchObject({ code: 'artifact_not_stored' })
  expect(warning?.message).toContain('There is no space.')
  expect(more).toEqual([])
  const label = agent.getState().toolCalls.get('call_1')?.result?.artifacts?.[0]
  const artifact = await agent.getArtifact(label?.artifactId ?? '')
  expect(await artifact?.text()).toBe('abc')
})

/** Where the events of the page are dispatched. */
const accessOf = ({ agent }: Tab) => agent.getState().access
const isCheckpoint = ({ type }: AgentEvent) => type === 'message_checkpoint'

function hide(page: EventTarget, isKept = false): void {
  page.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: isKept }))
}

function comeBack(page: EventTarget): void {
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
}

function stubPage(): EventTarget {
  const page = new EventTarget()
  stubListeners(page)
  onTestFinished(() => void vi.unstubAllGlobals())
  return page
}

function stubListeners(page: EventTarget): void {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
}

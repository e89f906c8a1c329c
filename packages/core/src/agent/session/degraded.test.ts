import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { DurableEvent } from '../../kernel/events.ts'
import { fullPauseMs } from '../../runtime/retry-when-full.ts'
import { faultyStorage } from '../../storage/faulty-storage.fixtures.ts'
import { memoryStorage } from '../../storage/memory.ts'
import {
  type Lasting,
  type SessionStorage,
  StorageError,
  type StorageErrorKind,
} from '../../storage/port.ts'
import { call, hold, say, scriptedModel } from '../../testing/scripted.ts'
import { defineTool } from '../../tools/definition.ts'
import { inClient } from '../../tools/page/client-host.ts'
import { pageTools, watchedAgent } from '../agent.fixtures.ts'
import { sessionId, tabs } from './tabs.fixtures.ts'

/** A storage that refuses to write, as long as the test says. */
function refusing(kind: StorageErrorKind = 'full') {
  const memory = memoryStorage()
  const durabilities: (readonly [DurableEvent['type'], string | undefined])[] = []
  let isRefused = false
  const refuse = () => {
    if (isRefused) throw new StorageError(kind, 'It was refused.')
  }
  const storage: SessionStorage = {
    ...memory,
    append: async (id, position, events) => {
      refuse()
      await memory.append(id, position, events)
      for (const { type } of events) durabilities.push([type, position.durability])
    },
    lasts: async () => 'best-effort',
    claim: async (...asked) => {
      if (!(await memory.list()).some(({ isOpen }) => isOpen)) refuse()
      return memory.claim(...asked)
    },
  }
  return {
    storage,
    memory,
    durabilities,
    refuse: (now: boolean) => {
      isRefused = now
    },
  }
}

describe('without space', () => {
  test('[D61] what is said waits in memory, and is stored once there is space, without a reload', async () => {
    const { storage, memory, refuse } = refusing()
    const { open, pass } = tabs(undefined, storage)
    const { agent, events } = open(scriptedModel([say('An answer.')], [say('Another.')]))
    await agent.ready
    refuse(true)
    let isStored = false
    const done = agent.prompt('Go.').finally(() => {
      isStored = true
    })
    await pass(0)

    expect(agent.getState()).toMatchObject({ storage: 'full', access: 'owner', error: null })
    expect(agent.getState().messages.at(-1)).toMatchObject({ content: [{ text: 'An answer.' }] })
    await pass(fullPauseMs * 5)
    expect(isStored).toBe(false)
    expect(await memory.read(sessionId)).toEqual([])

    refuse(false)
    await pass(fullPauseMs)

    expect(await done).toMatchObject({ reason: 'stop', text: 'An answer.' })
    expect(agent.getState().storage).toBe('best-effort')
    expect(await agent.prompt('And now?')).toMatchObject({ text: 'Another.' })
    const stored = await memory.read(sessionId)
    expect(stored).toEqual(events.filter((event) => !('sub' in event)))
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index))
  })

  test('[D61] [I33] no call begins before there is space again', async () => {
    const { storage, refuse } = refusing()
    const ran: string[] = []
    const { open, pass } = tabs(
      (environment) => ({
        tools: pageTools(environment, {
          a: ({ toolCallId }) => {
            ran.push(toolCallId)
            return 'from a'
          },
        }),
      }),
      storage,
    )
    const { agent } = open(scriptedModel([call('a')], [say('Done.')]))
    await agent.ready
    refuse(true)
    const done = agent.prompt('Go.')
    await pass(fullPauseMs)
    expect(agent.getState()).toMatchObject({ storage: 'full', isActive: true })
    expect(ran).toEqual([])

    refuse(false)
    await pass(fullPauseMs)

    expect(await done).toMatchObject({ reason: 'stop', text: 'Done.' })
    expect(ran).toEqual(['call_1'])
  })

  test('[D61] [I20] a stop counts at once', async () => {
    const { storage, refuse } = refusing()
    const { open, pass } = tabs(undefined, storage)
    const { agent } = open(scriptedModel([say('On and on'), hold()]))
    await agent.ready
    refuse(true)
    const done = agent.prompt('Go.')
    await pass(0)

    agent.abort()
    await pass(0)
    expect(agent.getState()).toMatchObject({ isActive: false, lastReason: 'aborted' })
    refuse(false)
    await pass(fullPauseMs)

    expect(await done).toMatchObject({ reason: 'aborted' })
  })

  test('[D82] a follower shows that its owner has no space, also one that comes later, until there is some', async () => {
    const { storage, memory, refuse } = refusing()
    const { open, pass } = tabs(undefined, storage)
    const { agent: owner } = open(scriptedModel([say('Kept.')], [say('Waits.')]))
    await owner.prompt('Go.')
    const { agent: early } = open(scriptedModel(), memory)
    await early.ready
    refuse(true)
    const done = owner.prompt('Go on.')
    await pass(0)
    const { agent: late } = open(scriptedModel(), memory)
    await late.ready
    await pass(0)

    for (const { getState } of [early, late]) {
      expect(getState()).toMatchObject({ access: 'follower', storage: 'full', error: null })
    }

    refuse(false)
    await pass(fullPauseMs)
    await done
    await pass(0)

    for (const { getState } of [early, late]) expect(getState().storage).toBe('memory')
  })

  test('[D82] a notice that there is no space shows nothing when it comes after the one that there is some', async () => {
    const { storage, memory, refuse } = refusing()
    const { open, pass } = tabs(undefined, storage)
    const { agent: owner } = open(scriptedModel([say('Kept.')]))
    await owner.ready
    const late: (() => void)[] = []
    const connect: SessionStorage['connect'] = (id, listener) =>
      memory.connect(id, (message) => {
        const isNotice = JSON.stringify(message).includes('"isFull":true')
        if (isNotice) late.push(() => listener(message))
        else listener(message)
      })
    const { agent: follower } = open(scriptedModel(), { ...memory, connect })
    await follower.ready
    refuse(true)
    const done = owner.prompt('Go.')
    await pass(0)
    refuse(false)
    await pass(fullPauseMs)
    await done
    await pass(0)

    expect(late.length).toBeGreaterThan(0)
    for (const come of late) come()

    expect(follower.getState()).toMatchObject({ access: 'follower', storage: 'memory' })
  })

  test('[D82] a follower shows that its next owner has no space, though that cannot store that it is the owner', async () => {
    const { storage, memory, refuse } = refusing()
    const { open, pass } = tabs(undefined, storage)
    const { agent: owner } = open(scriptedModel([say('Kept.')]))
    await owner.ready
    const { agent: next } = open(scriptedModel([say('Lost.')]))
    await next.ready
    const { agent: last } = open(scriptedModel(), memory)
    await last.ready
    refuse(true)
    const done = owner.prompt('Go.')
    await pass(0)
    refuse(false)
    await pass(fullPauseMs)
    await done
    expect(last.getState().storage).toBe('memory')

    refuse(true)
    owner.dispose()
    await pass(0)

    expect(next.getState().access).toBe('owner')
    expect(last.getState()).toMatchObject({ access: 'follower', storage: 'full' })

    refuse(false)
    await pass(fullPauseMs)
    await pass(0)
    expect(last.getState()).toMatchObject({ access: 'follower', storage: 'memory' })
  })

  test('[D82] what a follower shows of the space ends with its owner', async () => {
    const { storage, memory, refuse } = refusing()
    const { open, pass } = tabs(undefined, storage)
    const { agent: owner } = open(scriptedModel([say('Lost.')]))
    await owner.ready
    const { agent: next } = open(scriptedModel([say('Here.')]), memory)
    await next.ready
    const { agent: last } = open(scriptedModel(), memory)
    await last.ready
    refuse(true)
    void owner.prompt('Go.')
    await pass(0)
    expect([next, last].map(({ getState }) => getState().storage)).toEqual(['full', 'full'])

    owner.dispose()
    await pass(0)
    // It has stored nothing yet.
    expect(last.getState()).toMatchObject({ access: 'follower', storage: 'memory' })
    expect(await next.prompt('Go.')).toMatchObject({ text: 'Here.' })
    await pass(0)

    expect(next.getState()).toMatchObject({ access: 'owner', storage: 'memory' })
    expect(last.getState()).toMatchObject({ access: 'follower', storage: 'memory' })
  })

  test('[D61] [D6] an agent that is disposed, or whose session is taken, does not wait for it', async () => {
    const { storage, refuse, memory } = refusing()
    const { open, pass, environment } = tabs(undefined, storage)
    const { agent } = open(scriptedModel([say('Lost.')], [say('Lost, too.')]))
    await agent.ready
    const { agent: other } = open(scriptedModel([say('Here.')]), memory)
    await other.ready
    refuse(true)
    void agent.prompt('Go.')
    await pass(0)

    const taken = other.takeOver()
    await pass(3000)
    await taken
    await pass(0)
    expect(agent.getState()).toMatchObject({ access: 'follower', storage: 'best-effort' })
    const run = other.prompt('Go.')
    await pass(0)
    expect(await run).toMatchObject({ text: 'Here.' })
    await pass(0)
    expect(agent.getState().messages).toEqual(other.getState().messages)

    other.dispose()
    await pass(0)
    void agent.prompt('Again.')
    await pass(0)
    agent.dispose()
    await agent.stored()
    expect(environment.clock.pending()).toBe(0)
  })

  test('[D61] a session that cannot be claimed is shown, and takeOver() tries again', async () => {
    const { storage, refuse } = refusing()
    const { open, pass } = tabs(undefined, storage)
    const first = open(scriptedModel([say('Kept.')]))
    await first.agent.prompt('Go.')
    first.agent.dispose()
    await first.agent.stored()
    refuse(true)

    const { agent } = open(scriptedModel([say('On.')]))
    await agent.ready
    expect(agent.getState()).toMatchObject({ access: 'read-only', storage: 'full' })
    expect(agent.getState().messages).toHaveLength(2)
    await expect(agent.prompt('Go.')).rejects.toMatchObject({ code: 'read_only' })
    await expect(agent.takeOver()).rejects.toMatchObject({ kind: 'full' })
    expect(agent.getState()).toMatchObject({ access: 'read-only', storage: 'full' })

    refuse(false)
    await agent.takeOver()
    await pass(0)
    expect(agent.getState()).toMatchObject({ access: 'owner', storage: 'best-effort' })
    expect(await agent.prompt('Go.')).toMatchObject({ text: 'On.' })
  })
})

test('[D65] what a person answered, and the start of a tool that writes, is stored strictly', async () => {
  const { storage, durabilities } = refusing()
  const { open } = tabs(
    (environment) => ({
      tools: [
        pageTools(environment, { pay: () => 'paid' }, { needsApproval: true }),
        pageTools(environment, { look: () => 'seen' }, { effects: 'reads' }),
        inClient([
          defineTool({
            name: 'ask',
            place: 'client',
            description: 'Asks.',
            inputSchema: z.looseObject({}),
          }),
        ]),
      ],
    }),
    storage,
  )
  const { agent, eventsOf } = open(
    scriptedModel([call('pay')], [call('look')], [call('ask')], [say('Done.')]),
  )
  agent.subscribe((event) => {
    if (event.type !== 'tool_approval_requested') return
    const { toolCallId, argsDigest } = event
    agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
  })
  await agent.prompt('Go.')
  await agent.addToolResult('call_3', 'yes')

  const strict = durabilities.filter(([, durability]) => durability === 'strict')
  expect(eventsOf('tool_dispatched')).toHaveLength(2)
  expect(strict.map(([type]) => type)).toEqual(
    expect.arrayContaining(['tool_approval_resolved', 'tool_dispatched', 'tool_result_staged']),
  )
  expect(strict.filter(([type]) => type === 'tool_dispatched')).toHaveLength(1)
  const relaxed = durabilities.filter(([, durability]) => durability === undefined)
  expect(relaxed.map(([type]) => type)).toEqual(
    expect.arrayContaining(['agent_start', 'tool_dispatched', 'agent_end']),
  )
})

test.for(['blocked', 'newer', 'cleared', 'unavailable', 'unknown'] as const)(
  '[D60] a storage that fails as %s is shown as that, and what was said is still there',
  async (kind) => {
    const { storage, refuse } = refusing(kind)
    const { open, pass } = tabs(undefined, storage)
    const { agent } = open(scriptedModel([say('An answer.')]))
    await agent.ready
    refuse(true)

    expect(await agent.prompt('Go.')).toMatchObject({ error: { kind: 'storage' } })
    await pass(0)

    expect(agent.getState()).toMatchObject({ storage: kind, error: { kind: 'storage' } })
    expect(agent.getState().messages[0]).toMatchObject({ content: [{ text: 'Go.' }] })
  },
)

test('[D5] [D6] an agent whose storage failed leaves the session to another one, and cannot take it back', async () => {
  const { storage, memory, refuse } = refusing('unknown')
  const { open, pass } = tabs(undefined, storage)
  const { agent } = open(scriptedModel([say('Lost.')]))
  await agent.ready
  const { agent: other } = open(scriptedModel([say('Here.')]), memory)
  await other.ready
  refuse(true)
  await agent.prompt('Go.')
  await pass(0)
  refuse(false)

  await expect(agent.takeOver()).rejects.toMatchObject({ name: 'StorageError', kind: 'unknown' })
  await pass(0)

  expect(other.getState().access).toBe('owner')
  expect(await other.prompt('Go.')).toMatchObject({ text: 'Here.' })
})

test('[D83] the end of the storage is shown at once, by the owner and by who follows', async () => {
  const memory = memoryStorage()
  const ending = new AbortController()
  const { signal } = ending
  const storage: SessionStorage = {
    ...memory,
    claim: async (id, mode, given) => {
      const claim = await memory.claim(id, mode, given ? AbortSignal.any([given, signal]) : signal)
      return claim && { ...claim, lost: AbortSignal.any([claim.lost, signal]) }
    },
  }
  const { open, pass } = tabs(undefined, storage)
  const { agent: owner } = open(scriptedModel([say('On'), hold()]))
  await owner.ready
  const { agent: follower } = open()
  await follower.ready
  const cut = owner.prompt('Go.')
  await pass(0)

  ending.abort(new StorageError('cleared', 'It was deleted.'))
  await pass(0)

  expect(await cut).toMatchObject({ reason: 'error', error: { kind: 'storage' } })
  for (const agent of [owner, follower]) {
    expect(agent.getState()).toMatchObject({ storage: 'cleared', error: { kind: 'storage' } })
    expect(agent.isRunning()).toBe(false)
    expect(agent.getState().messages[0]).toMatchObject({ content: [{ text: 'Go.' }] })
  }
})

describe('a call that ran', () => {
  /** Two agents on a session with a call that runs and one that waits for the page. */
  async function running() {
    const { storage, memory, refuse } = refusing('cleared')
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      place: 'client',
      inputSchema: z.object({}),
    })
    const { open, pass } = tabs(
      (environment) => ({
        tools: [
          pageTools(environment, {
            work: ({ signal }) =>
              new Promise((_, reject) => signal.addEventListener('abort', reject)),
          }),
          inClient([ask]),
        ],
      }),
      storage,
    )
    const { agent: owner } = open(scriptedModel([call('work'), call('ask')]))
    await owner.ready
    const { agent: follower } = open()
    await follower.ready
    owner.prompt('Go.').catch(() => {})
    await pass(100)
    const statuses = ({ getState }: typeof owner) =>
      owner
        .getState()
        .messages.flatMap(({ content }) =>
          content.map((part) => (part.type === 'toolCall' ? part.toolCallId : '')),
        )
        .map((id) => getState().toolCalls.get(id))
        .map((one) => one && [one.toolName, one.status, one.hasEnded])
        .filter(Boolean)
    expect(statuses(follower)).toEqual([
      ['work', 'running', false],
      ['ask', 'queued', false],
    ])
    return { open, pass, memory, refuse, owner, follower, statuses }
  }

  const atRest = [
    ['work', 'interrupted', true],
    ['ask', 'queued', false],
  ]

  test('[D138] is shown as interrupted when its storage has failed', async () => {
    const { owner, refuse, pass, statuses } = await running()
    refuse(true)
    owner.steer('More.')
    await pass(100)

    expect(owner.getState()).toMatchObject({ storage: 'cleared', isActive: false })
    expect(statuses(owner)).toEqual(atRest)
    expect(owner.getState().toolCalls.active).toEqual([])
  })

  test('[D138] is shown as interrupted when its agent is disposed', async () => {
    const { owner, statuses } = await running()

    owner.dispose()

    expect(statuses(owner)).toEqual(atRest)
    const [id = ''] = owner
      .getState()
      .messages.flatMap(({ content }) =>
        content.flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : [])),
      )
    // Hooks ask for it again and again.
    expect(owner.getState().toolCalls.get(id)).toBe(owner.getState().toolCalls.get(id))
  })

  test('[D138] [D84] is shown as interrupted in a session that is only shown', async () => {
    const { open, memory, owner, statuses } = await running()
    const after = memoryStorage()
    await after.append(sessionId, { head: 0, epoch: 0 }, await memory.read(sessionId))
    // Two pages that end while they open it.
    for (let times = 0; times < 2; times += 1) (await after.claim(sessionId, 'if-free'))?.release()

    const { agent } = open(scriptedModel(), after)
    await agent.ready

    expect(agent.getState().access).toBe('read-only')
    expect(statuses(agent)).toEqual(atRest)
    owner.dispose()
  })
})

describe('a call that waited for a person, and was cancelled', () => {
  /** Of two calls that the page answers, which wait without a run, one is cancelled. */
  async function cancelled() {
    const { storage, memory, refuse } = refusing('cleared')
    const { open, pass } = tabs(
      (environment) => ({
        tools: pageTools(environment, { work: () => 'done' }),
        toolMode: 'manual',
      }),
      storage,
    )
    const { agent } = open(scriptedModel([call('work'), call('work')]))
    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'awaiting_tool_results' })
    const cancel = () => agent.cancelTool('call_1')
    return { agent, open, pass, memory, refuse, cancel }
  }

  const shown = ({ getState }: ReturnType<typeof watchedAgent>['agent']) => ({
    statuses: ['call_1', 'call_2'].map((id) => getState().toolCalls.get(id)?.status),
    active: getState().toolCalls.active.map(({ toolCallId }) => toolCallId),
  })

  const waitsNoMore = { statuses: ['cancelled', 'queued'], active: [] }

  test('[D138] is shown as cancelled when its storage fails', async () => {
    const { agent, pass, refuse, cancel } = await cancelled()
    refuse(true)
    cancel()
    await pass(100)

    expect(agent.getState().storage).toBe('cleared')
    expect(shown(agent)).toEqual(waitsNoMore)
  })

  test('[D138] is shown as cancelled when its agent is disposed', async () => {
    const { agent, pass, cancel } = await cancelled()
    cancel()
    await pass(100)

    agent.dispose()

    expect(shown(agent)).toEqual(waitsNoMore)
  })

  test('[D138] is shown as cancelled in a session that is only shown', async () => {
    const { open, memory, agent: owner, pass, cancel } = await cancelled()
    cancel()
    await pass(100)
    const after = memoryStorage()
    await after.append(sessionId, { head: 0, epoch: 0 }, await memory.read(sessionId))
    // Two pages that end while they open it.
    for (let times = 0; times < 2; times += 1) (await after.claim(sessionId, 'if-free'))?.release()

    const { agent } = open(scriptedModel(), after)
    await agent.ready

    expect(agent.getState().access).toBe('read-only')
    expect(shown(agent)).toEqual(waitsNoMore)
    owner.dispose()
  })
})

test('[D60] a storage that refuses to be opened is shown as that', async () => {
  const { storage, refuse } = refusing('newer')
  const { open } = tabs(undefined, storage)
  refuse(true)

  const { agent } = open()
  expect(agent.getState().storage).toBe('opening')
  await expect(agent.ready).rejects.toMatchObject({ kind: 'newer' })

  expect(agent.getState()).toMatchObject({ storage: 'newer', error: { kind: 'storage' } })
})

test('[D1] [D5] an owner whose claim is lost though no other one was made goes on as the owner', async () => {
  const storage = faultyStorage(memoryStorage(), () => 'none')
  const { open, pass } = tabs(undefined, storage)
  const { agent } = open(scriptedModel([say('On'), hold()], [say('Here.')]))
  await agent.ready
  const cut = agent.prompt('Go.')
  await pass(0)

  storage.loseClaims()
  await pass(0)

  expect(await cut).toMatchObject({ reason: 'interrupted' })
  expect(agent.getState().access).toBe('owner')
  expect(await agent.prompt('Go on.')).toMatchObject({ text: 'Here.' })
  const stored = await storage.read(sessionId)
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index))
})

describe('a log that is damaged', () => {
  test('[D62] behind what a follower has read is not continued by it', async () => {
    const memory = memoryStorage()
    const { open, pass } = tabs(undefined, memory)
    const owner = open(scriptedModel([say('Kept.')]))
    await owner.agent.prompt('Go.')
    const good = await memory.read(sessionId)
    const bad = { ...good.at(-1), seq: 1 } as const
    let isDamaged = false
    const { agent } = open(scriptedModel(), {
      ...memory,
      follow: () => () => {},
      read: async (id, from = 0, until = Number.POSITIVE_INFINITY) => {
        const log = await memory.read(id, from, until)
        const isThere = isDamaged && until > good.length
        return isThere ? [...log, Object.assign(structuredClone(bad))] : log
      },
    })
    await agent.ready
    expect(agent.getState().access).toBe('follower')
    isDamaged = true

    owner.agent.dispose()
    await owner.agent.stored()
    await pass(0)

    expect(agent.getState()).toMatchObject({ access: 'read-only', storage: 'damaged' })
    expect(agent.getState().messages).toHaveLength(2)
    await expect(agent.takeOver()).rejects.toMatchObject({ kind: 'damaged' })
    // The rules read the log once more in the end.
    isDamaged = false
  })
})

describe('how long a session is kept', () => {
  function lasting(answers: Partial<Record<'look' | 'ask', Lasting>>) {
    const asked: string[] = []
    const storage: SessionStorage = {
      ...memoryStorage(),
      lasts: async (mode) => {
        asked.push(mode)
        const answer = answers[mode]
        if (!answer) throw new StorageError('unknown', 'It cannot say.')
        return answer
      },
    }
    return { ...tabs(undefined, storage), asked }
  }

  test('[D66] is asked for after the first message of the user is stored, once, and shown', async () => {
    const { open, asked, pass } = lasting({ look: 'best-effort', ask: 'persistent' })
    const { agent } = open(scriptedModel([say('One.')], [say('Two.')]))
    await agent.ready
    await pass(0)
    expect(agent.getState().storage).toBe('best-effort')
    expect(asked).toEqual(['look'])

    await agent.prompt('Go.')
    await agent.prompt('On.')
    await pass(0)

    expect(agent.getState().storage).toBe('persistent')
    expect(asked).toEqual(['look', 'ask'])
  })

  test.for(['persistent', 'memory'] as const)(
    '[D66] is not asked for where it is %s',
    async (look) => {
      const { open, asked, pass } = lasting({ look })
      const { agent } = open(scriptedModel([say('One.')]))
      await agent.prompt('Go.')
      await pass(0)

      expect(agent.getState().storage).toBe(look)
      expect(asked).toEqual(['look'])
    },
  )

  test('[D66] is at best effort where the storage cannot say', async () => {
    const { open, pass } = lasting({})
    const { agent } = open(scriptedModel([say('One.')]))

    expect(await agent.prompt('Go.')).toMatchObject({ text: 'One.' })
    await pass(0)

    expect(agent.getState()).toMatchObject({ storage: 'best-effort', error: null })
  })

  test('[D60] without a storage is as long as the page', () => {
    expect(watchedAgent({ model: scriptedModel() }).agent.getState().storage).toBe('memory')
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageTools } from '../agent/agent.fixtures.ts'
import type { JsonObject } from '../internal/json.ts'
import { nextTask } from '../internal/next-task.ts'
import { type DurableEvent, isDurable } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import { agentStart, logOf, opened } from '../kernel/log.fixtures.ts'
import { emptyState, type State } from '../kernel/state.ts'
import { readLog } from '../runtime/read-log.ts'
import { memoryStorage } from '../storage/memory.ts'
import { type SessionStorage, StorageError } from '../storage/port.ts'
import { call, hold, say, scriptedModel } from '../testing/scripted.ts'
import { toolResult } from '../tools/result/tool-result.ts'
import type { ImportOptions } from './import-session.ts'
import { SessionError } from './session-error.ts'
import { close, stored } from './sessions.fixtures.ts'

describe('a session that is exported and imported', () => {
  test('[D27] [D28] is the same: its events, files and title', async () => {
    const { sessions, storage, bytes } = await exported()
    const there = stored(memoryStorage(), 'b')

    const { sessionId, leftOut } = await there.sessions.import(streamOf(bytes))

    expect(leftOut).toBe(0)
    const [before] = await sessions.list()
    expect(await there.sessions.list()).toEqual([{ ...before, sessionId }])
    const events = await there.storage.read(sessionId)
    expect(events.map((event) => ({ ...event, sessionId: 'first' }))).toEqual(
      await storage.read('first'),
    )
    expect(new Set(events.map((event) => event.sessionId))).toEqual(new Set([sessionId]))
    expect(await filesIn(there.storage, sessionId)).toEqual(await filesIn(storage, 'first'))
    const { agent } = there.open({ model: scriptedModel([say('Again.')]), sessionId })
    await agent.ready
    expect(agent.getState().lastReason).toBe('stop')
    expect(await agent.prompt('More.')).toMatchObject({ text: 'Again.' })
  })

  test('[D27] under its own name it is exported as the same bytes again', async () => {
    const { bytes } = await exported()
    const there = stored()

    await there.sessions.import(streamOf(bytes), { keepsId: true })

    expect(await bytesOf(await there.sessions.export('first'))).toEqual(bytes)
  })

  test('[D28] a file may be imported twice, from a Blob, and under a name that is given', async () => {
    const { sessions, bytes } = await exported()

    const { sessionId } = await sessions.import(new Blob([bytes]))
    await sessions.import(new Blob([bytes]), { sessionId: 'mine' })

    expect((await sessions.list()).map((one) => one.sessionId).toSorted()).toEqual(
      ['first', 'mine', sessionId].toSorted(),
    )
  })

  test('[D28] while it is imported the page has its turn after each megabyte', async () => {
    const { sessions, open } = stored()
    const long = open({ model: scriptedModel([say('Yes.')]), sessionId: 'long' })
    await long.agent.prompt('word '.repeat(250_000))
    await close(long)
    const bytes = await bytesOf(await sessions.export('long'))
    let turns = 0
    let isOver = false
    const countTurns = async () => {
      for (; !isOver; turns += 1) await nextTask()
    }

    const counted = countTurns()
    await sessions.import(streamOf(bytes))
    isOver = true
    await counted

    // Three events hold the prompt.
    expect(turns).toBeGreaterThanOrEqual(3)
  })

  test('[D28] however it is cut into chunks it is the same', async () => {
    const { bytes } = await exported()

    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(200), { maxLength: 40 }), async (sizes) => {
        const there = stored()
        await there.sessions.import(streamOf(bytes, sizes), { keepsId: true })
        expect(await bytesOf(await there.sessions.export('first'))).toEqual(bytes)
      }),
      { seed: 13, numRuns: 20 },
    )
  })

  test.for(['wait', 'pause'] as const)(
    '[D28] [I38] a log that ends after any event starts nothing, and has the same history: %s',
    async (approvalMode) => {
      const log = await longLog(approvalMode)
      let closed = 0

      for (let length = 1; length <= log.length; length += 1) {
        const prefix = log.slice(0, length)
        const here = await withLog(prefix)
        const there = stored(memoryStorage(), 'b')
        const bytes = await bytesOf(await here.sessions.export('first'))
        const { sessionId } = await there.sessions.import(streamOf(bytes))

        const events = await there.storage.read(sessionId)
        const own = events.map((event) => ({ ...event, sessionId: 'first' }))
        expect(own.slice(0, length)).toEqual(prefix)
        const state = stateOf(own)
        if (own.length === length) expect(state).toEqual(stateOf(prefix))
        else closed += 1
        expect(state.run).toBeNull()
        const ran: string[] = []
        const model = scriptedModel()
        const tools = pageTools(there.environment, {
          send: ({ toolCallId }) => ran.push(toolCallId),
          ask: ({ toolCallId }) => ran.push(toolCallId),
        })
        const opened = there.open({ model, tools, sessionId })
        await opened.agent.ready
        await there.pass(10_000)
        expect(model.requests).toEqual([])
        expect(ran).toEqual([])
        expect(opened.agent.getState().isActive).toBe(false)
        await close(opened)
      }
      expect(closed).toBeGreaterThan(10)
      expect(closed).toBeLessThan(log.length)
    },
  )

  test('[D27] a long one is read and written in parts', async () => {
    const log = longTalk(5000)
    const { storage } = await withLog(log)
    const parts: number[] = []
    const watched: SessionStorage = {
      ...storage,
      read: async (...asked) => {
        const events = await storage.read(...asked)
        parts.push(events.length)
        return events
      },
    }
    const there = memoryStorage()
    const appended: number[] = []
    const target: SessionStorage = {
      ...there,
      append: async (sessionId, position, events) => {
        appended.push(events.length)
        await there.append(sessionId, position, events)
      },
    }

    const stream = await stored(watched).sessions.export('first')
    expect(parts).toEqual([])
    await stored(target).sessions.import(stream, { keepsId: true })

    expect(Math.max(...parts)).toBeLessThanOrEqual(500)
    expect(Math.max(...appended)).toBeLessThanOrEqual(200)
    expect(await there.read('first')).toEqual(log)
  })

  test('[D27] an export that is not read to its end reads no more', async () => {
    const { storage } = await withLog(longTalk(5000))
    let reads = 0
    const watched: SessionStorage = {
      ...storage,
      read: (...asked) => {
        reads += 1
        return storage.read(...asked)
      },
    }
    const reader = (await stored(watched).sessions.export('first')).getReader()
    await reader.read()

    await reader.cancel()

    expect(reads).toBeLessThan(4)
  })
})

describe('an export that is always possible', () => {
  test('[D30] a session with an event whose number is far from all others', async () => {
    const far = { ...longTalk(1)[0], seq: 2 ** 52 } as DurableEvent
    const log = [...longTalk(30), far]
    const storage = memoryStorage()
    await storage.append('first', { head: 0, epoch: 0 }, log)
    let reads = 0
    const sparse: SessionStorage = {
      ...storage,
      list: async () => (await storage.list()).map((one) => ({ ...one, events: far.seq + 1 })),
      read: async (_, from = 0, to = Number.POSITIVE_INFINITY) => {
        reads += 1
        return log.filter(({ seq }) => seq >= from && seq < to)
      },
    }

    const bytes = await bytesOf(await stored(sparse).sessions.export('first'))

    expect(reads).toBeLessThan(100)
    const there = stored()
    expect(await there.sessions.import(streamOf(bytes))).toMatchObject({ leftOut: 1 })
    expect(await there.sessions.list()).toMatchObject([{ events: 30 }])
  })

  test.for([
    [500, 0],
    [600, 0],
    [601, 1],
    [3000, 1],
  ] as const)(
    '[D30] [D53] an event of %i levels is read in each place, or in none',
    async ([levels, leftOut]) => {
      let schema: JsonObject = {}
      for (let level = 1; level < levels; level += 1) schema = { not: schema }
      const { storage, sessions } = await withLog(
        logOf(opened(), agentStart('Go.', { output: { schema, maxRepairs: 0 } })).flatMap((one) =>
          isDurable(one) ? { ...one, sessionId: 'first' } : [],
        ),
      )

      const bytes = await bytesOf(await sessions.export('first'))

      expect(await stored().sessions.import(streamOf(bytes))).toMatchObject({ leftOut })
      const { problem } = readLog(emptyState('first'), await storage.read('first'))
      expect(problem?.message ?? '').toMatch(leftOut ? /^.*at event 1 .*at most 600 levels/ : /^$/)
    },
  )

  test('[D30] an open session, and one whose storage takes nothing more', async () => {
    const { storage, open, pass } = stored()
    const first = open({ model: scriptedModel([say('On'), hold()]), sessionId: 'first' })
    void first.agent.prompt('Go.')
    await pass(0)
    const refuse = () => Promise.reject(new StorageError('full', 'There is no space.'))
    const full = stored({
      ...storage,
      ...{ append: refuse, describe: refuse, writeBytes: refuse, claim: refuse, delete: refuse },
    })

    const bytes = await bytesOf(await full.sessions.export('first'))

    const there = stored()
    expect(await there.sessions.import(streamOf(bytes))).toMatchObject({ leftOut: 0 })
    expect(await there.sessions.list()).toMatchObject([{ status: 'idle' }])
  })

  test.for([
    [
      'an event that is none',
      (log: readonly DurableEvent[]) => log.toSpliced(20, 1, {} as never),
      20,
    ],
    ['a gap', (log: readonly DurableEvent[]) => log.toSpliced(20, 1), 20],
    ['a first event that is missing', (log: readonly DurableEvent[]) => log.slice(1), 0],
    [
      'an event that JSON cannot hold',
      (log: readonly DurableEvent[]) =>
        log.map((event) => (event.seq === 20 ? { ...event, odd: 1n } : event)),
      20,
    ],
  ] as const)('[D30] with %s: what is before it is kept', async ([, damage, intact]) => {
    const log = longTalk(40)
    const damaged = damage(log)
    const { sessions } = await withLog(damaged)

    const bytes = await bytesOf(await sessions.export('first'))

    const there = stored()
    const imported = there.sessions.import(streamOf(bytes), { keepsId: true })
    if (intact === 0) {
      await expect(imported).rejects.toMatchObject({ kind: 'not_valid' })
      return
    }
    expect(await imported).toMatchObject({ leftOut: damaged.length - intact })
    const kept = await there.storage.read('first')
    expect(kept.slice(0, intact)).toEqual(log.slice(0, intact))
    expect(new TextDecoder().decode(bytes)).toContain('"message":"event 39"')
  })

  test('[D30] with events and files that cannot be read', async () => {
    const { storage } = await withLog(longTalk(40))
    await storage.writeBytes('first', 'good', new Blob(['good']))
    await storage.writeBytes('first', 'lost', new Blob(['lost']))
    const worn: SessionStorage = {
      ...storage,
      read: (sessionId, from = 0, to = 40) =>
        from <= 20 && 20 < to
          ? Promise.reject(new StorageError('unknown', 'It cannot be read.'))
          : storage.read(sessionId, from, to),
      readBytes: async (sessionId, key) => {
        const blob = await storage.readBytes(sessionId, key)
        const lost = { size: 4, type: '', slice: () => ({ arrayBuffer: () => Promise.reject() }) }
        return key === 'lost' ? (lost as unknown as Blob) : blob
      },
    }

    const bytes = await bytesOf(await stored(worn).sessions.export('first'))

    const there = stored()
    expect(await there.sessions.import(streamOf(bytes), { keepsId: true })).toMatchObject({
      leftOut: 21,
    })
    expect(await filesIn(there.storage, 'first')).toEqual({ good: 'good' })
  })

  test('[D21] [D30] of an unknown session, or one of which nothing can be read, is refused', async () => {
    const { sessions, storage } = await withLog(longTalk(3))
    const broken = { ...storage, read: () => Promise.reject(new StorageError('cleared', 'Gone.')) }

    await expect(sessions.export('other')).rejects.toMatchObject({ kind: 'unknown_session' })
    const stream = await stored(broken).sessions.export('first')
    await expect(bytesOf(stream)).rejects.toMatchObject({ name: 'StorageError', kind: 'cleared' })
  })
})

describe('an export of a session that is deleted meanwhile', () => {
  test.for(['deleted', 'another one of its name by then'])(
    '[D103] [D30] ends with an error, and not as a smaller session: %s',
    async (how) => {
      const { storage, sessions } = await withLog(longTalk(3000))
      const reader = (await sessions.export('first')).getReader()
      await reader.read()

      await storage.delete('first')
      if (how !== 'deleted') await stored(storage, 'b').sessions.create({ sessionId: 'first' })

      const rest = async () => {
        while (!(await reader.read()).done);
      }
      await expect(rest()).rejects.toMatchObject({ name: 'SessionError', kind: 'unknown_session' })
    },
  )
})

describe('a file that is refused', () => {
  test('[D29] cut off anywhere, and leaves nothing', async () => {
    const small = await exportedSmall()
    const { bytes } = await exported()

    for (let length = 0; length < small.length; length += 1) {
      expect(await refusal(small.subarray(0, length)), `${length}`).toBe('cut_off')
    }
    for (let length = 0; length < bytes.length; length += 41) {
      expect(await refusal(bytes.subarray(0, length)), `${length}`).toBe('cut_off')
    }
  })

  test('[D29] with any byte changed, and leaves nothing', async () => {
    const small = await exportedSmall()
    const { bytes } = await exported()
    const kinds = new Set<string>()

    for (let at = 0; at < small.length; at += 1) kinds.add(await refusal(flipped(small, at)))
    for (let at = 0; at < bytes.length; at += 41) kinds.add(await refusal(flipped(bytes, at)))

    expect([...kinds].toSorted()).toEqual(
      ['checksum', 'cut_off', 'not_a_session', 'not_valid', 'version'].toSorted(),
    )
  })

  test.for([
    ['not_a_session', 'a text', 'Hello.'],
    ['not_a_session', 'a line of text', 'Hello.\n'],
    ['not_a_session', 'bytes', '\u0000\u0001\n\u0002'],
    ['not_a_session', 'another format', '{"format":"other"}\n'],
    ['not_a_session', 'a list', '[]\n'],
    ['cut_off', 'nothing', ''],
    ['version', 'a newer format', '{"format":"offthread-session","version":2,"sessionId":"s"}\n'],
    ['not_valid', 'no session', '{"format":"offthread-session","version":1}\n'],
    ['not_valid', 'an event that is null', lines('{"event":null}')],
    ['not_valid', 'an event that is empty', lines('{"event":{"v":1,"seq":0}}')],
    ['not_valid', 'a line of no kind', lines('{"other":1}')],
    ['not_valid', 'bytes of no file', lines('{"data":"AAAA"}')],
    ['not_valid', 'a line that is no JSON', lines('no JSON')],
    ['not_valid', 'a log that begins later', lines(event(1, 'session_opened'))],
    ['not_valid', 'a log that is not opened', lines(event(0, 'warning'))],
    [
      'version',
      'an event of a newer version',
      lines(event(0, 'session_opened'), event(1, 'warning').replace('"v":1', '"v":2')),
    ],
    [
      'not_valid',
      'a time that no date can have',
      lines(event(0, 'session_opened').replace(/"ts":\d+/, '"ts":1e300')),
    ],
    [
      'version',
      'an event of no known type',
      lines(event(0, 'session_opened'), event(1, 'unknown')),
    ],
    ['not_valid', 'a gap', lines(event(0, 'session_opened'), event(2, 'warning'))],
    [
      'version',
      'an event with an evil type',
      lines(event(0, 'session_opened'), event(1, '__proto__')),
    ],
    [
      'not_valid',
      'a list of 100,000 levels',
      lines(`{"event":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    ],
    [
      'not_valid',
      'an event of 700 levels',
      lines(event(0, 'session_opened', `"odd":${'['.repeat(700)}${']'.repeat(700)}`)),
    ],
    ['not_valid', 'a file of a negative size', lines('{"file":{"key":"a","type":"","size":-1}}')],
    [
      'not_valid',
      'a file with a reserved name',
      lines('{"file":{"key":"offthread:x","type":"","size":0}}'),
    ],
    [
      'not_valid',
      'a file that is too long',
      lines('{"file":{"key":"a","type":"","size":1}}', '{"data":"AAAA"}'),
    ],
    [
      'not_valid',
      'a file that is no base64',
      lines('{"file":{"key":"a","type":"","size":3}}', '{"data":"%"}'),
    ],
    [
      'not_valid',
      'a file without its end',
      lines('{"file":{"key":"a","type":"","size":3}}', '{"file":{"key":"b","type":"","size":3}}'),
    ],
    [
      'version',
      'a newer event',
      lines(`{"event":{"v":2,"seq":0,"ts":0,"sessionId":"s","runId":null,"turn":0,"type":"x"}}`),
    ],
    [
      'checksum',
      'a wrong checksum',
      lines(event(0, 'session_opened'), '{"end":{"events":1,"files":0,"leftOut":0,"sha256":""}}'),
    ],
  ] as const)('[D29] as %s, and leaves nothing: %s', async ([kind, , text]) => {
    expect(await refusal(new TextEncoder().encode(text))).toBe(kind)
  })

  test('[D29] that goes on after its end', async () => {
    const { bytes } = await exported()

    expect(await refusal(Uint8Array.from([...bytes, ...bytes]))).toBe('not_valid')
    expect(await refusal(Uint8Array.from([...bytes, 10]))).toBe('not_valid')
  })

  test.for([
    ['maxBytes', 1000],
    ['maxLineBytes', 300],
    ['maxEvents', 5],
    ['maxFileBytes', 3],
  ] as const)('[D29] over %s, before the rest is read', async ([name, limit]) => {
    const { bytes } = await exported()

    expect(await refusal(bytes, { limits: { [name]: limit } })).toBe('too_large')
  })

  test('[D29] a line without an end is not kept beyond its limit', async () => {
    let given = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        given += 1
        controller.enqueue(new Uint8Array(1000).fill(97))
      },
    })

    const imported = stored().sessions.import(endless, { limits: { maxLineBytes: 5000 } })

    await expect(imported).rejects.toMatchObject({ kind: 'too_large' })
    expect(given).toBeLessThan(10)
  })

  test('[D20] [D29] under a name that is taken, and changes nothing', async () => {
    const { sessions, storage, bytes } = await exported()
    const before = await storage.list()

    for (const options of [{ keepsId: true }, { sessionId: 'first' }]) {
      await expect(sessions.import(streamOf(bytes), options)).rejects.toMatchObject({
        kind: 'name_taken',
      })
    }

    expect(await storage.list()).toEqual(before)
  })

  test.for(['append', 'writeBytes', 'describe'] as const)(
    '[D29] when %s of the storage fails, and leaves nothing',
    async (method) => {
      const { bytes } = await exported()
      const storage = memoryStorage()
      const broken: SessionStorage = {
        ...storage,
        [method]: () => Promise.reject(new StorageError('full', 'There is no space.')),
      }

      const imported = stored(broken).sessions.import(streamOf(bytes), { keepsId: true })

      await expect(imported).rejects.toMatchObject({ name: 'StorageError', kind: 'full' })
      expect(await traces(storage)).toEqual([])
    },
  )

  test('[D29] when its signal aborts, and leaves nothing', async () => {
    const bytes = await exportedLong()
    const there = stored()
    const stop = new AbortController()
    let isCancelled = false
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes.slice(0, bytes.length - 1)),
      cancel: () => {
        isCancelled = true
      },
    })
    const imported = there.sessions.import(stream, { keepsId: true, signal: stop.signal })
    await there.pass(0)
    expect(await there.storage.read('first')).not.toEqual([])
    const reason = new Error('Enough.')

    stop.abort(reason)

    await expect(imported).rejects.toBe(reason)
    expect(isCancelled).toBe(true)
    expect(await traces(there.storage)).toEqual([])
  })

  test('[D29] a session that is half imported is in no list, and the next import removes what a dead page left', async () => {
    const bytes = await exportedLong()
    const there = stored()
    const dying: SessionStorage = {
      ...there.storage,
      // The page ends here.
      writeBytes: () => new Promise(() => {}),
      claim: async (...asked) => {
        const claim = await there.storage.claim(...asked)
        claim?.release()
        return claim
      },
    }
    void stored(dying).sessions.import(streamOf(bytes), { sessionId: 'half' })
    await there.pass(0)
    expect(await there.storage.read('half')).not.toEqual([])
    expect(await there.sessions.list()).toEqual([])

    await there.sessions.import(streamOf(bytes), { keepsId: true })

    expect((await there.storage.list()).map((one) => one.sessionId)).toEqual(['first'])
  })
})

/** A session with two runs, files and a title, and its export. */
async function exported() {
  const here = stored()
  const tools = pageTools(here.environment, {
    draw: () =>
      toolResult({
        content: 'Drawn.',
        artifacts: [
          { name: 'a.bin', mediaType: 'x/y', data: new Blob([Uint8Array.of(0, 255, 10)]) },
        ],
      }),
  })
  const model = scriptedModel([call('draw')], [say('Done – 🦉 "\ud800".')])
  const first = here.open({ model, tools, sessionId: 'first' })
  await first.agent.prompt('Draw.')
  await close(first)
  await here.storage.writeBytes('first', 'file:notes', new Blob(['notes'], { type: 'text/plain' }))
  await here.storage.writeBytes('first', 'offthread:cache', new Blob(['cache']))
  await here.sessions.rename('first', 'Owls')
  const bytes = await bytesOf(await here.sessions.export('first'))
  await here.storage.writeBytes('first', 'offthread:cache', null)
  return { ...here, bytes }
}

/** The export of a session without messages, with one file. */
async function exportedSmall(): Promise<Uint8Array> {
  const { sessions, storage } = stored()
  await sessions.create({ sessionId: 'first', title: 'A' })
  await storage.writeBytes('first', 'file:notes', new Blob(['notes'], { type: 'text/plain' }))
  return bytesOf(await sessions.export('first'))
}

/** The export of a session that is imported in several parts, with one file. */
async function exportedLong(): Promise<Uint8Array> {
  const { sessions, storage } = await withLog(longTalk(500))
  await storage.writeBytes('first', 'file:notes', new Blob(['notes']))
  return bytesOf(await sessions.export('first'))
}

/** The bytes with one bit changed. */
function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const changed = bytes.slice()
  changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
  return changed
}

/** A log with an approval, an answer of the page, a failed call and a retried request. */
async function longLog(approvalMode: 'wait' | 'pause'): Promise<readonly DurableEvent[]> {
  const here = stored()
  const tools = pageTools(here.environment, { send: () => 'sent', ask: () => 'asked' })
  const hooks = {
    beforeToolCall: ({ toolName }: { readonly toolName: string }) => ({
      requireApproval: toolName === 'send',
    }),
  }
  const model = scriptedModel(
    [call('send'), call('ask')],
    [say('Sent.')],
    [call('missing')],
    [say('It is missing.')],
  )
  const first = here.open({ model, tools, hooks, approvalMode, sessionId: 'first' })
  const done = first.agent.prompt('Go.')
  await here.pass(0)
  first.agent.followUp('And then?')
  const { argsDigest = '' } = first.agent.getState().toolCalls.get('call_1')?.approval ?? {}
  first.agent.respondToApproval('call_1', { decision: 'approve', argsDigest })
  await done
  await here.pass(0)
  await close(first)
  return here.storage.read('first')
}

/** So many events that need no run. */
function longTalk(length: number): readonly DurableEvent[] {
  return Array.from({ length }, (_, seq) => ({
    ...{ v: 1, seq, ts: seq, sessionId: 'first', runId: null, turn: 0 },
    ...(seq === 0
      ? { type: 'session_opened', bootId: 'boot_1' }
      : { type: 'warning', code: 'test', message: `event ${seq}` }),
  }))
}

async function withLog(log: readonly DurableEvent[]) {
  const here = stored()
  await here.storage.append('first', { head: 0, epoch: 0 }, log)
  return here
}

function stateOf(log: readonly DurableEvent[]): State {
  return log.reduce(fold, emptyState('first'))
}

/** Imports a file that must be refused. Returns the kind of the error, once nothing of it is left. */
async function refusal(bytes: Uint8Array, options: ImportOptions = {}): Promise<string> {
  const { sessions, storage } = stored()
  const error: unknown = await sessions
    .import(streamOf(bytes), options)
    .catch((one: unknown) => one)
  if (!(error instanceof SessionError)) throw new Error('It was not refused.', { cause: error })
  expect(error.message).toMatch(/\w\.$/)
  expect(await traces(storage)).toEqual([])
  return error.kind
}

/** What is left of sessions. */
async function traces(storage: SessionStorage): Promise<readonly unknown[]> {
  const ids = ['first', 'session_1']
  const events = await Promise.all(ids.map((sessionId) => storage.read(sessionId)))
  const files = await Promise.all(
    ids.map((sessionId) => storage.readBytes(sessionId, 'file:notes')),
  )
  return [await storage.list(), events, files].flat(2).filter((one) => one !== undefined)
}

async function filesIn(
  storage: SessionStorage,
  sessionId: string,
): Promise<{ readonly [key: string]: unknown }> {
  const entry = (await storage.list()).find((one) => one.sessionId === sessionId)
  const files = (entry?.keys ?? []).map(async (key) => {
    const blob = await storage.readBytes(sessionId, key)
    return [key, await blob?.text()] as const
  })
  return Object.fromEntries(await Promise.all(files))
}

async function bytesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The bytes in chunks of these sizes, and the rest. */
function streamOf(bytes: Uint8Array, sizes: readonly number[] = []): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      let at = 0
      for (const size of [...sizes, bytes.length]) {
        controller.enqueue(bytes.subarray(at, at + size))
        at += size
      }
      controller.close()
    },
  })
}

function lines(...after: readonly string[]): string {
  const header = '{"format":"offthread-session","version":1,"sessionId":"s"}'
  return [header, ...after].map((line) => `${line}\n`).join('')
}

function event(seq: number, type: string, more = '"bootId":"a"'): string {
  return `{"event":{"v":1,"seq":${seq},"ts":0,"sessionId":"s","runId":null,"turn":0,"type":"${type}",${more}}}`
}

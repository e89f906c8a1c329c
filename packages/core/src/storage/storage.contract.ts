import { describe, expect, onTestFinished, test } from 'vitest'
import type { Json } from '../internal/json.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { type Claim, type ClaimMode, type SessionStorage, StorageError } from './port.ts'

/** What every storage promises. `create` returns an empty one each time. */
export function describeStorage(
  name: string,
  create: () => SessionStorage | Promise<SessionStorage>,
): void {
  describe(name, () => {
    describe('its events', () => {
      test('a session that was never written is empty', async () => {
        const storage = await create()

        expect(await storage.read('unknown')).toEqual([])
        expect(await storage.read('unknown', 5)).toEqual([])
      })

      test('[S002-9] [I1] appended events are read again, in order', async () => {
        const storage = await create()
        const events = log(5)

        await storage.append('s', at(0), events.slice(0, 2))
        await storage.append('s', at(2), events.slice(2, 3))
        await storage.append('s', at(3), events.slice(3))

        expect(await storage.read('s')).toEqual(events)
      })

      test('reads on from a number', async () => {
        const storage = await create()
        const events = log(5)
        await storage.append('s', at(0), events)

        expect(await storage.read('s', 3)).toEqual(events.slice(3))
        expect(await storage.read('s', 5)).toEqual([])
      })

      test('reads a part', async () => {
        const storage = await create()
        const events = log(5)
        await storage.append('s', at(0), events)

        expect(await storage.read('s', 1, 3)).toEqual(events.slice(1, 3))
        expect(await storage.read('s', 3, 9)).toEqual(events.slice(3))
        expect(await storage.read('s', 3, 3)).toEqual([])
        expect(await storage.read('s', 7, 9)).toEqual([])
      })

      test('[I6] events come back as JSON keeps them, whatever they hold', async () => {
        const storage = await create()
        const [event] = log(1)
        if (!event) throw new Error('There is no event.')
        const text = '🦉 "quoted" \u0000 \ud800 </script>'
        const odd: DurableEvent = { ...event, type: 'warning', code: 'odd', message: text }

        await storage.append('s', at(0), [odd])

        expect(await storage.read('s')).toEqual([odd])
      })

      test('sessions do not touch each other, whatever their names', async () => {
        const storage = await create()
        const names = ['a', 'b', 'a\u0000b', '__proto__', 'ä/b c']

        for (const [index, name] of names.entries()) {
          await storage.append(name, at(0), log(index + 1))
        }

        for (const [index, name] of names.entries()) {
          expect(await storage.read(name), name).toHaveLength(index + 1)
        }
      })

      test.for([
        ['behind', 1],
        ['ahead', 3],
      ] as const)(
        '[I1] an append whose head is %s is a conflict, and changes nothing',
        async ([, head]) => {
          const storage = await create()
          const events = log(4)
          await storage.append('s', at(0), events.slice(0, 2))

          const append = storage.append('s', at(head), events.slice(head))

          await expect(append).rejects.toBeInstanceOf(StorageError)
          await expect(append).rejects.toMatchObject({ kind: 'conflict' })
          expect(await storage.read('s')).toEqual(events.slice(0, 2))
        },
      )

      test('[I1] of two appends to one head at the same time one is stored whole, the other not at all', async () => {
        const storage = await create()
        const events = log(3)
        await storage.append('s', at(0), events.slice(0, 1))

        const appends = await Promise.allSettled([
          storage.append('s', at(1), events.slice(1, 2)),
          storage.append('s', at(1), events.slice(1, 3)),
        ])

        expect(appends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
        const stored = await storage.read('s')
        const first = appends[0]?.status === 'fulfilled'
        expect(stored).toEqual(first ? events.slice(0, 2) : events)
      })

      test('an append of nothing stores nothing, if the head is right', async () => {
        const storage = await create()
        await storage.append('s', at(0), log(1))

        await storage.append('s', at(1), [])

        expect(await storage.read('s')).toHaveLength(1)
        await expect(storage.append('s', at(0), [])).rejects.toMatchObject({ kind: 'conflict' })
      })

      test('events that were read do not change with later appends', async () => {
        const storage = await create()
        const events = log(2)
        await storage.append('s', at(0), events.slice(0, 1))
        const before = await storage.read('s')

        await storage.append('s', at(1), events.slice(1))

        expect(before).toHaveLength(1)
      })

      test.for(['relaxed', 'strict'] as const)(
        '[D10] stores %s and in the last moment',
        async (durability) => {
          const storage = await create()
          const events = log(3)

          await storage.append('s', { ...at(0), durability }, events.slice(0, 1))
          await storage.append('s', { ...at(1), isLast: true }, events.slice(1))

          expect(await storage.read('s')).toEqual(events)
        },
      )
    })

    describe('its owners', () => {
      test('[D1] each claim has a larger epoch, and only the last one appends', async () => {
        const storage = await create()
        const first = await claim(storage, 'take')
        await storage.append('s', at(0, first.epoch), log(1))

        const second = await claim(storage, 'take')

        expect(second.epoch).toBeGreaterThan(first.epoch)
        const late = storage.append('s', at(1, first.epoch), log(2).slice(1))
        await expect(late).rejects.toMatchObject({ kind: 'not_owner' })
        await storage.append('s', at(1, second.epoch), log(2).slice(1))
        expect(await storage.read('s')).toHaveLength(2)
      })

      test('[D1] an append without a claim is refused once there was one', async () => {
        const storage = await create()
        const { release } = await claim(storage, 'if-free')
        release()

        await expect(storage.append('s', at(0), log(1))).rejects.toMatchObject({
          kind: 'not_owner',
        })
      })

      test('[D2] the last append of a replaced owner changes no event of the next one', async () => {
        const storage = await create()
        const first = await claim(storage, 'take')
        const second = await claim(storage, 'take')
        await storage.append('s', at(0, second.epoch), log(1))

        const last = storage.append('s', { ...at(0, first.epoch), isLast: true }, log(2))
        await last.catch(() => {})

        await storage.append('s', at(1, second.epoch), log(2).slice(1))
        expect(await storage.read('s')).toEqual(log(2))
      })

      test('[D2] a replaced owner stores nothing in its last moment, though the numbers are free', async () => {
        const storage = await create()
        const first = await claim(storage, 'take')
        await storage.append('s', at(0, first.epoch), log(1))
        const second = await claim(storage, 'take')
        await storage.append('s', at(1, second.epoch), log(2).slice(1))

        for (const head of [2, 3]) {
          const last = { ...at(head, first.epoch), isLast: true }
          await storage.append('s', last, log(head + 1).slice(head)).catch(() => {})
        }

        expect(await storage.read('s')).toEqual(log(2))
        await storage.append('s', { ...at(2, second.epoch), isLast: true }, log(3).slice(2))
        await storage.append('s', { ...at(3, second.epoch), isLast: true }, log(4).slice(3))
        expect(await storage.read('s')).toEqual(log(4))
      })

      test('[D12] the owner of a deleted session stores nothing in its last moment', async () => {
        const storage = await create()
        const owner = await claim(storage, 'take')
        await storage.append('s', at(0, owner.epoch), log(1))
        await storage.delete('s')

        const last = storage.append('s', { ...at(1, owner.epoch), isLast: true }, log(2).slice(1))
        await last.catch(() => {})

        expect(await storage.read('s')).toEqual([])
      })

      test('[D1] a session has one owner at a time', async () => {
        const storage = await create()
        const owner = await claim(storage, 'if-free')

        expect(await storage.claim('s', 'if-free')).toBeNull()
        const other = await storage.claim('other', 'if-free')
        expect(other).not.toBeNull()
        other?.release()

        owner.release()
        await expect.poll(() => claim(storage, 'if-free').then(Boolean, () => false)).toBe(true)
      })

      test('[D5] a claim that waits is granted when the owner leaves, in the order of asking', async () => {
        const storage = await create()
        const owner = await claim(storage, 'if-free')
        const granted: string[] = []
        const note = (name: string) => (next: Claim) => {
          granted.push(name)
          return next
        }
        const second = claim(storage, 'wait').then(note('second'))
        const third = claim(storage, 'wait').then(note('third'))
        expect(await storage.claim('s', 'if-free')).toBeNull()

        owner.release()
        const next = await second
        expect(granted).toEqual(['second'])
        next.release()
        await third

        expect(owner.lost.aborted).toBe(false)
        expect(granted).toEqual(['second', 'third'])
      })

      test('a wait ends with its signal, and is not granted later', async () => {
        const storage = await create()
        const owner = await claim(storage, 'if-free')
        const patience = new AbortController()
        const waiting = storage.claim('s', 'wait', patience.signal)
        const reason = new Error('No longer.')

        patience.abort(reason)

        await expect(waiting).rejects.toBe(reason)
        owner.release()
        await expect.poll(() => claim(storage, 'if-free').then(Boolean, () => false)).toBe(true)
      })

      test('[D1] an owner whose session is taken is notified', async () => {
        const storage = await create()
        const owner = await claim(storage, 'if-free')

        await claim(storage, 'take')

        await expect.poll(() => owner.lost.aborted).toBe(true)
        // What it gives back is not its own any more.
        owner.release()
        expect(await storage.claim('s', 'if-free')).toBeNull()
      })

      test('[D7] counts the claims that were never confirmed', async () => {
        const storage = await create()

        expect((await claim(storage, 'take')).unconfirmed).toBe(0)
        expect((await claim(storage, 'take')).unconfirmed).toBe(1)
        const third = await claim(storage, 'take')
        expect(third.unconfirmed).toBe(2)
        await third.confirm()
        expect((await claim(storage, 'take')).unconfirmed).toBe(0)
      })

      test('[D7] a confirmation that comes late says nothing of the next owner', async () => {
        const storage = await create()
        const late = await claim(storage, 'take')
        await claim(storage, 'take')

        await late.confirm()

        expect((await claim(storage, 'take')).unconfirmed).toBe(2)
      })
    })

    describe('those who watch', () => {
      test('[D3] who follows gets all events in order, each once', async () => {
        const storage = await create()
        const events = log(40)
        await storage.append('s', at(0), events.slice(0, 5))
        const early = watch(storage, 2)

        for (let head = 5; head < 40; head += 5) {
          await storage.append('s', at(head), events.slice(head, head + 5))
        }
        const late = watch(storage, 0)

        await expect.poll(() => early).toEqual(events.slice(2))
        await expect.poll(() => late).toEqual(events)
      })

      test('who stopped following gets nothing more', async () => {
        const storage = await create()
        const events = log(2)
        const seen: DurableEvent[] = []
        const stop = storage.follow('s', 0, (next) => seen.push(...next))
        await storage.append('s', at(0), events.slice(0, 1))
        await expect.poll(() => seen).toHaveLength(1)

        stop()
        const other = watch(storage, 0)
        await storage.append('s', at(1), events.slice(1))

        await expect.poll(() => other).toHaveLength(2)
        expect(seen).toHaveLength(1)
      })

      test('a message reaches every other agent at the session', async () => {
        const storage = await create()
        const seen: Record<string, Json[]> = { a: [], b: [], elsewhere: [] }
        const join = (name: string, sessionId: string) => {
          const connection = storage.connect(sessionId, (message) => seen[name]?.push(message))
          onTestFinished(connection.close)
          return connection
        }
        const [a, b] = [join('a', 's'), join('b', 's')]
        join('elsewhere', 't')

        a.post({ wish: 'abort', list: [1, null, 'é'] })
        b.post('second')

        await expect
          .poll(() => seen)
          .toEqual({
            a: ['second'],
            b: [{ wish: 'abort', list: [1, null, 'é'] }],
            elsewhere: [],
          })
      })

      test('who left gets no messages', async () => {
        const storage = await create()
        const [left, stayed]: [Json[], Json[]] = [[], []]
        const leaving = storage.connect('s', (message) => left.push(message))
        const staying = storage.connect('s', (message) => stayed.push(message))
        const sender = storage.connect('s', () => {})
        onTestFinished(staying.close)
        onTestFinished(sender.close)

        leaving.close()
        sender.post('Hello.')

        await expect.poll(() => stayed).toEqual(['Hello.'])
        expect(left).toEqual([])
      })
    })

    describe('its sessions', () => {
      test('lists the sessions that hold events, the last written first', async () => {
        const storage = await create()
        await storage.append('old', at(0), log(3))
        await storage.append('new', at(0), log(5))
        await claim(storage, 'if-free', 'empty')

        const empty = { createdAt: 0, bytes: 0, keys: [], isOpen: false }
        expect(await storage.list()).toEqual([
          { ...empty, sessionId: 'new', updatedAt: 4, events: 5 },
          { ...empty, sessionId: 'old', updatedAt: 2, events: 3 },
        ])
      })

      test('the list says what a session is called, does, and whether it has an owner', async () => {
        const storage = await create()
        const { epoch } = await claim(storage, 'if-free')
        await storage.describe('s', { topic: 'A trip.' })
        await storage.append('s', at(0, epoch), log(1))

        await storage.describe('s', { title: 'Berlin', status: 'running' })
        await storage.describe('s', { status: 'ready' })
        await storage.describe('unknown', { title: 'Nothing' })

        expect(await storage.list()).toMatchObject([
          { sessionId: 's', title: 'Berlin', topic: 'A trip.', status: 'ready', isOpen: true },
        ])
      })

      test('[D9] keeps bytes beside a session, and counts them', async () => {
        const storage = await create()
        await storage.append('s', at(0), log(1))

        await storage.writeBytes('s', 'one', new Blob(['12345'], { type: 'text/plain' }))
        await storage.writeBytes('s', 'one', new Blob(['123'], { type: 'text/csv' }))
        await storage.writeBytes('s', 'two', new Blob(['12']))
        expect(await storage.list()).toMatchObject([{ bytes: 5, keys: ['one', 'two'] }])
        await storage.writeBytes('s', 'two', null)

        const blob = await storage.readBytes('s', 'one')
        expect(blob?.type).toBe('text/csv')
        expect(await blob?.text()).toBe('123')
        expect(await storage.readBytes('s', 'two')).toBeUndefined()
        expect(await storage.readBytes('t', 'one')).toBeUndefined()
        expect(await storage.list()).toMatchObject([{ bytes: 3, keys: ['one'] }])
      })

      test('[D37] keeps bytes that can be made again, and does not count them', async () => {
        const storage = await create()
        await storage.append('s', at(0), log(1))
        await storage.writeBytes('s', 'one', new Blob(['123']))

        await storage.writeBytes('s', 'offthread:one', new Blob(['12345']))
        expect(await (await storage.readBytes('s', 'offthread:one'))?.text()).toBe('12345')
        expect(await storage.list()).toMatchObject([{ bytes: 3 }])
        await storage.writeBytes('s', 'offthread:one', null)

        expect(await storage.readBytes('s', 'offthread:one')).toBeUndefined()
        expect(await storage.list()).toMatchObject([{ bytes: 3 }])
        await storage.writeBytes('s', 'offthread:one', new Blob(['1']))
        await storage.delete('s')
        expect(await storage.readBytes('s', 'offthread:one')).toBeUndefined()
      })

      test('[D43] keeps no bytes of a claim that was replaced', async () => {
        const storage = await create()
        const first = await claim(storage, 'take')
        await storage.append('s', at(0, first.epoch), log(1))
        await first.keepBytes('offthread:one', new Blob(['first']))
        const second = await claim(storage, 'take')

        const late = first.keepBytes('offthread:one', new Blob(['late']))

        await expect(late).rejects.toMatchObject({ kind: 'not_owner' })
        expect(await (await storage.readBytes('s', 'offthread:one'))?.text()).toBe('first')
        await second.keepBytes('offthread:one', new Blob(['second']))
        expect(await (await storage.readBytes('s', 'offthread:one'))?.text()).toBe('second')
        expect(await storage.list()).toMatchObject([{ bytes: 0 }])
      })

      test('[D111] lists one session alone', async () => {
        const storage = await create()
        for (const id of ['one', 'two']) await storage.append(id, at(0), log(1))

        expect(await storage.list('two')).toEqual(
          (await storage.list()).filter(({ sessionId }) => sessionId === 'two'),
        )
        expect(await storage.list('two')).toHaveLength(1)
        expect(await storage.list('three')).toEqual([])
      })

      test.for([null, {}, { ts: 1e300 }, { ts: 'now' }])(
        '[D102] lists a session of which an event is damaged, and the others: %j',
        async (damaged) => {
          const storage = await create()
          const events: DurableEvent[] = JSON.parse(JSON.stringify([damaged, damaged]))
          await storage.append('s', at(0), events)
          await storage.append('good', at(0), log(1))

          const listed = await storage.list()

          expect(listed.map(({ sessionId }) => sessionId).toSorted()).toEqual(['good', 's'])
          const found = listed.find(({ sessionId }) => sessionId === 's')
          expect(found).toMatchObject({ createdAt: 0, updatedAt: 0, events: 2 })
        },
      )

      test('[D12] a deleted session is gone with its bytes, and its owner is notified', async () => {
        const storage = await create()
        const owner = await claim(storage, 'if-free')
        await storage.append('s', at(0, owner.epoch), log(2))
        await storage.writeBytes('s', 'one', new Blob(['1']))
        await storage.append('kept', at(0), log(1))

        await storage.delete('s')
        await storage.delete('unknown')

        expect(await storage.read('s')).toEqual([])
        expect(await storage.readBytes('s', 'one')).toBeUndefined()
        expect(await storage.list()).toMatchObject([{ sessionId: 'kept' }])
        await expect.poll((): unknown => owner.lost.reason).toMatchObject({ kind: 'cleared' })
        const zombie = storage.append('s', at(0, owner.epoch), log(1))
        await expect(zombie).rejects.toMatchObject({ kind: 'cleared' })
      })

      test('[D106] all who are connected learn that a session was deleted', async () => {
        const storage = await create()
        await storage.append('s', at(0), log(1))
        const [one, left, other] = ['s', 's', 't'].map((id) => storage.connect(id, () => {}))
        onTestFinished(() => {
          for (const line of [one, other]) line?.close()
        })
        left?.close()
        // They are connected.
        await storage.list()

        await storage.delete('s')
        await expect.poll((): unknown => one?.ended.reason).toMatchObject({ kind: 'cleared' })

        expect(other?.ended.aborted).toBe(false)
        await storage.append('s', at(0), log(1))
        const next = storage.connect('s', () => {})
        onTestFinished(next.close)
        expect(next.ended.aborted).toBe(false)
      })

      test.for(['deleted', 'deleted and claimed again'])(
        '[D108] [D12] the owner of a session that is %s keeps no bytes beside it',
        async (what) => {
          const storage = await create()
          const zombie = await claim(storage, 'take')
          await storage.append('s', at(0, zombie.epoch), log(1))
          await zombie.keepBytes('file', new Blob(['kept']))
          expect(await storage.list()).toMatchObject([{ bytes: 4, keys: ['file'] }])
          await storage.delete('s')
          const next = what === 'deleted' ? null : await claim(storage, 'take')

          const late = zombie.keepBytes('file', new Blob(['late']))

          const kind = expect.stringMatching(next ? /cleared|not_owner/u : 'cleared')
          await expect(late).rejects.toMatchObject({ kind })
          expect(await storage.readBytes('s', 'file')).toBeUndefined()
          await storage.append('s', at(0, next?.epoch), log(1))
          expect(await storage.list()).toMatchObject([{ bytes: 0, keys: [] }])
        },
      )

      test('[D9] a claim removes bytes that it has kept', async () => {
        const storage = await create()
        const owner = await claim(storage, 'take')
        await storage.append('s', at(0, owner.epoch), log(1))
        await owner.keepBytes('file', new Blob(['kept']))

        await owner.keepBytes('file', null)

        expect(await storage.list()).toMatchObject([{ bytes: 0, keys: [] }])
      })

      test('[D100] an agent that waits for a session that is deleted is notified, and does not get it', async () => {
        const storage = await create()
        const owner = await claim(storage, 'if-free')
        await storage.append('s', at(0, owner.epoch), log(1))
        const waiting = storage.claim('s', 'wait')
        const isRefused = expect(waiting).rejects.toMatchObject({ kind: 'cleared' })
        // The lock is asked for.
        await storage.list()

        await storage.delete('s')

        await isRefused
        owner.release()
        await expect.poll(() => claim(storage, 'if-free').then(Boolean, () => false)).toBe(true)
      })

      test('[D12] the owner of a deleted session does not write the next one of its name', async () => {
        const storage = await create()
        const zombie = await claim(storage, 'take')
        await storage.delete('s')

        const next = await claim(storage, 'take')

        expect(next.epoch).toBeGreaterThan(zombie.epoch)
        expect(next.unconfirmed).toBe(0)
        const late = storage.append('s', at(0, zombie.epoch), log(1))
        await expect(late).rejects.toMatchObject({ kind: 'not_owner' })
      })
    })
  })
}

const at = (head: number, epoch = 0) => ({ head, epoch })

async function claim(storage: SessionStorage, mode: ClaimMode, sessionId = 's'): Promise<Claim> {
  const claimed = await storage.claim(sessionId, mode)
  if (!claimed) throw new Error('The session has an owner.')
  onTestFinished(claimed.release)
  return claimed
}

/** The events of session `s` from a number on, as they come. */
function watch(storage: SessionStorage, from: number): readonly DurableEvent[] {
  const seen: DurableEvent[] = []
  onTestFinished(storage.follow('s', from, (events) => seen.push(...events)))
  return seen
}

/** A log of so many events. */
export function log(length: number): readonly DurableEvent[] {
  return Array.from({ length }, (_, seq) => ({
    v: 1,
    seq,
    ts: seq,
    sessionId: 's',
    runId: null,
    turn: 0,
    type: 'warning',
    code: 'test',
    message: `event ${seq}`,
  }))
}

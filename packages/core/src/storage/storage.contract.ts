import { describe, expect, test } from 'vitest'
import type { DurableEvent } from '../kernel/events.ts'
import type { SessionStorage } from './port.ts'
import { StorageError } from './port.ts'

/** What every storage promises. `create` returns an empty one each time. */
export function describeStorage(
  name: string,
  create: () => SessionStorage | Promise<SessionStorage>,
): void {
  describe(name, () => {
    test('a session that was never written is empty', async () => {
      const storage = await create()

      expect(await storage.load('nobody')).toEqual([])
    })

    test('[S002-9] [I1] appended events are loaded again, in order', async () => {
      const storage = await create()
      const events = log(5)

      await storage.append('s', 0, events.slice(0, 2))
      await storage.append('s', 2, events.slice(2, 3))
      await storage.append('s', 3, events.slice(3))

      expect(await storage.load('s')).toEqual(events)
    })

    test('[I6] events come back as JSON keeps them, whatever they hold', async () => {
      const storage = await create()
      const [event] = log(1)
      if (!event) throw new Error('There is no event.')
      const text = '🦉 "quoted" \u0000 \ud800 </script>'
      const odd: DurableEvent = { ...event, type: 'warning', code: 'odd', message: text }

      await storage.append('s', 0, [odd])

      expect(await storage.load('s')).toEqual([odd])
    })

    test('sessions do not touch each other', async () => {
      const storage = await create()

      await storage.append('a', 0, log(2))
      await storage.append('b', 0, log(1))

      expect(await storage.load('a')).toHaveLength(2)
      expect(await storage.load('b')).toHaveLength(1)
    })

    test.for([
      ['behind', 1],
      ['ahead', 3],
    ] as const)(
      '[I1] an append whose head is %s is a conflict, and changes nothing',
      async ([, head]) => {
        const storage = await create()
        const events = log(4)
        await storage.append('s', 0, events.slice(0, 2))

        const append = storage.append('s', head, events.slice(head))

        await expect(append).rejects.toBeInstanceOf(StorageError)
        await expect(append).rejects.toMatchObject({ kind: 'conflict' })
        expect(await storage.load('s')).toEqual(events.slice(0, 2))
      },
    )

    test('[I1] of two appends to one head at the same time one is stored whole, the other not at all', async () => {
      const storage = await create()
      const events = log(3)
      await storage.append('s', 0, events.slice(0, 1))

      const appends = await Promise.allSettled([
        storage.append('s', 1, events.slice(1, 2)),
        storage.append('s', 1, events.slice(1, 3)),
      ])

      expect(appends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const stored = await storage.load('s')
      const first = appends[0]?.status === 'fulfilled'
      expect(stored).toEqual(first ? events.slice(0, 2) : events)
    })

    test('an append of nothing stores nothing, if the head is right', async () => {
      const storage = await create()
      await storage.append('s', 0, log(1))

      await storage.append('s', 1, [])

      expect(await storage.load('s')).toHaveLength(1)
      await expect(storage.append('s', 0, [])).rejects.toMatchObject({ kind: 'conflict' })
    })

    test('loaded events do not change with later appends', async () => {
      const storage = await create()
      const events = log(2)
      await storage.append('s', 0, events.slice(0, 1))
      const before = await storage.load('s')

      await storage.append('s', 1, events.slice(1))

      expect(before).toHaveLength(1)
    })
  })
}

function log(length: number): readonly DurableEvent[] {
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

import { describe, expect, onTestFinished, test } from 'vitest'
import type { DurableEvent } from '../kernel/events.ts'
import type { Redaction, SessionStorage } from './port.ts'
import { log } from './storage.contract.ts'

/** What every storage promises that can remove content. `create` returns an empty one each time. */
export function describeRedaction(
  name: string,
  create: () => SessionStorage | Promise<SessionStorage>,
): void {
  describe(`${name}, redaction`, () => {
    test('[D32] replaces events, adds others and removes bytes, and leaves the rest as it is', async () => {
      const storage = await filled(create)

      await redact(storage, { replaced: [bare(1), bare(3)], added: [bare(5)], removedKeys: ['a'] })

      const [first, , third, , fifth] = log(5)
      expect(await storage.read('s')).toEqual([first, bare(1), third, bare(3), fifth, bare(5)])
      expect(await storage.readBytes('s', 'a')).toBeUndefined()
      expect(await (await storage.readBytes('s', 'b'))?.text()).toBe('of b')
      expect(await storage.list()).toMatchObject([
        { title: 'Mine', topic: 'Nothing.', status: 'idle', bytes: 4, keys: ['b'], events: 6 },
      ])
      await storage.append('s', at(6), [bare(6)])
    })

    test('[D32] removes all bytes that are made of the events', async () => {
      const storage = await filled(create)
      await storage.writeBytes('s', 'offthread:one', new Blob(['12345']))
      await storage.writeBytes('t', 'offthread:one', new Blob(['12345']))

      await redact(storage, {})

      expect(await storage.readBytes('s', 'offthread:one')).toBeUndefined()
      expect(await storage.readBytes('t', 'offthread:one')).toBeDefined()
      expect(await storage.list()).toMatchObject([{ bytes: 8, keys: ['a', 'b'] }])
    })

    test.for<[string, object, Partial<Redaction>, string]>([
      ['a claim of a session that was deleted', { epoch: 7 }, {}, 'cleared'],
      ['another head', { head: 4 }, {}, 'conflict'],
      ['an event that is not there', {}, { replaced: [bare(1), bare(5)] }, 'conflict'],
    ])('[D32] names %s, and nothing is changed', async ([, place, change, kind]) => {
      const storage = await filled(create)
      await storage.writeBytes('s', 'offthread:one', new Blob(['12345']))
      const before = await everything(storage)

      const done = redact(
        storage,
        { replaced: [bare(1)], added: [bare(5)], removedKeys: ['a'], ...change },
        { ...at(5), ...place },
      )

      await expect(done).rejects.toMatchObject({ name: 'StorageError', kind })
      expect(await everything(storage)).toEqual(before)
    })

    test('[D32] of a claim that is over does nothing', async () => {
      const storage = await filled(create)
      const { epoch = 0 } = (await storage.claim('s', 'take')) ?? {}
      await storage.claim('s', 'take')

      const late = redact(storage, { replaced: [bare(1)] }, at(5, epoch))

      await expect(late).rejects.toMatchObject({ kind: 'not_owner' })
      expect(await storage.read('s')).toEqual(log(5))
    })

    test('[D32] of a redaction and an append at one head one is done whole, the other not at all', async () => {
      const storage = await filled(create)

      const both = await Promise.allSettled([
        redact(storage, { replaced: [bare(1)], added: [bare(5)] }),
        storage.append('s', at(5), log(6).slice(5)),
      ])

      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const isRedacted = both[0]?.status === 'fulfilled'
      const [first, second, ...others] = log(5)
      expect(await storage.read('s')).toEqual(
        isRedacted ? [first, bare(1), ...others, bare(5)] : [first, second, ...log(6).slice(2)],
      )
    })

    test('[D32] who follows gets what was added, and nothing twice', async () => {
      const storage = await filled(create)
      const seen: DurableEvent[] = []
      onTestFinished(storage.follow('s', 0, (events) => seen.push(...events)))
      await expect.poll(() => seen).toHaveLength(5)

      await redact(storage, { replaced: [bare(1)], added: [bare(5)] })

      await expect.poll(() => seen).toHaveLength(6)
      expect(seen).toEqual([...log(5), bare(5)])
    })

    test('[D32] what was read before does not change', async () => {
      const storage = await filled(create)
      const before = await storage.read('s')

      await redact(storage, { replaced: [bare(1)] })

      expect(before).toEqual(log(5))
    })
  })
}

const at = (head: number, epoch = 0) => ({ head, epoch })

/** An event of which nothing is left. */
export function bare(seq: number): DurableEvent {
  const place = { v: 1, seq, ts: seq, sessionId: 's', runId: null, turn: 0 } as const
  return { ...place, type: 'warning', code: 'bare', message: '' }
}

/** Session `s`, with five events, two files and what lists show of it. */
async function filled(create: () => SessionStorage | Promise<SessionStorage>) {
  const storage = await create()
  await storage.append('s', at(0), log(5))
  for (const key of ['a', 'b']) await storage.writeBytes('s', key, new Blob([`of ${key}`]))
  await storage.describe('s', { title: 'Mine', topic: 'Something.', status: 'idle' })
  return storage
}

async function redact(
  storage: SessionStorage,
  redaction: Partial<Redaction>,
  position = at(5),
): Promise<void> {
  if (!storage.redact) throw new Error('It cannot redact.')
  const nothing = { replaced: [], added: [], removedKeys: [], topic: 'Nothing.' }
  await storage.redact('s', position, { ...nothing, ...redaction })
}

/** All that can be read of session `s`. */
async function everything(storage: SessionStorage): Promise<unknown> {
  const keys = ['a', 'b', 'offthread:one']
  const bytes = keys.map(async (key) => (await storage.readBytes('s', key))?.text())
  return [await storage.read('s'), await storage.list(), await Promise.all(bytes)]
}

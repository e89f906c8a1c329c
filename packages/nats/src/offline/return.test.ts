import { type DurableEvent, memoryStorage } from '@offthread/core'
import { type Claim, type SessionStorage, StorageError } from '@offthread/core/storage'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createManualEnvironment, quiet } from '../../../core/src/runtime/environment.fixtures.ts'
import { log } from '../../../core/src/storage/storage.contract.ts'
import { createDeferred } from '../deferred.ts'
import { createAlsoOffline } from './also-offline.ts'

let environment: ReturnType<typeof createManualEnvironment>
let server: SessionStorage
let local: SessionStorage
let isCut = false
let ids = 0

beforeEach(() => {
  environment = createManualEnvironment()
  server = memoryStorage()
  local = memoryStorage()
  isCut = false
  ids = 0
})

const away = () => new StorageError('unavailable', 'The server is away.')

/** A page whose server can be cut off. */
function open(remote: Partial<SessionStorage> = {}, here: Partial<SessionStorage> = {}) {
  const newId = () => {
    ids += 1
    return `${ids}-of-all`
  }
  const cuttable = { ...server, ...remote }
  const ask =
    <Asked extends unknown[], Answer>(method: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer> => {
      if (isCut) throw away()
      const answer = await method(...asked)
      if (isCut) throw away()
      return answer
    }
  return createAlsoOffline({
    remote: {
      ...cuttable,
      read: ask(cuttable.read),
      list: ask(cuttable.list),
      append: ask(cuttable.append),
      describe: ask(cuttable.describe),
      readBytes: ask(cuttable.readBytes),
      claim: ask(async (...asked) => {
        const claim = await cuttable.claim(...asked)
        return claim && { ...claim, keepBytes: ask(claim.keepBytes), confirm: ask(claim.confirm) }
      }),
    },
    local: { ...local, ...here },
    clock: environment.clock,
    newId,
  })
}

async function pass(ms = 2000): Promise<void> {
  await quiet()
  environment.clock.advance(ms)
  await quiet()
}

async function own(storage: SessionStorage, sessionId = 's'): Promise<Claim> {
  return (await storage.claim(sessionId, 'take')) ?? expect.fail('The session has an owner.')
}

const some = (from: number, to: number) => log(to).slice(from)

function said(seq: number, message: string): DurableEvent {
  const envelope = { v: 1, seq, ts: 1000 * seq, sessionId: 's', runId: null, turn: 0 } as const
  return { ...envelope, type: 'warning', code: 'test', message }
}

/** The server answers only when it is let. */
function gate() {
  const waiting: (() => void)[] = []
  let isShut = false
  return {
    shut: () => {
      isShut = true
    },
    waiting: () => waiting.length,
    openOne: () => waiting.shift()?.(),
    open: () => {
      isShut = false
      for (const go of waiting.splice(0)) go()
    },
    through: async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
      if (isShut) {
        const { promise, resolve } = createDeferred<void>()
        waiting.push(resolve)
        await promise
      }
      return answer()
    },
  }
}

/** An owner with two events at the server, which has been cut off then. */
async function cutOwner(storage = open()) {
  const claim = await own(storage)
  const at = (head: number) => ({ head, epoch: claim.epoch })
  await storage.append('s', at(0), log(2))
  await quiet()
  isCut = true
  await storage.append('s', at(2), some(2, 3))
  return { storage, claim, at }
}

async function writtenElsewhere(sessionId = 's', head = 2): Promise<void> {
  const { epoch, release } = await own(server, sessionId)
  await server.append(sessionId, { head, epoch }, [{ ...said(head, 'elsewhere'), sessionId }])
  release()
}

function keptIn({ reason }: AbortSignal): string {
  return reason instanceof StorageError ? (reason.keptAs ?? '') : ''
}

describe('a server that is slow', () => {
  test('[K19] at the opening: what the page writes then is not the work of another device', async () => {
    const { claim: before } = await cutOwner()
    before.release()
    isCut = false
    const reading = gate()
    const copying = gate()
    const storage = open(
      { read: (...asked) => reading.through(() => server.read(...asked)) },
      { append: (...asked) => copying.through(() => local.append(...asked)) },
    )
    reading.shut()
    const claiming = own(storage)
    await pass(7000)
    const { epoch, lost } = await claiming
    await quiet()
    // The look of the opening comes to its end, and the page goes on with the server, ahead of its copy.
    reading.openOne()
    await quiet()
    copying.shut()
    const appended = storage.append('s', { head: 3, epoch }, some(3, 4))
    await quiet()
    reading.open()
    await pass()
    await pass()
    copying.open()
    await appended
    await pass()

    expect(lost.aborted).toBe(false)
    expect((await server.list()).map(({ sessionId }) => sessionId)).toEqual(['s'])
    expect(await server.read('s')).toEqual(log(4))
  })

  test('[K17] when it is back: what is appended meanwhile waits for it 3 s at most', async () => {
    const sending = gate()
    const { storage, at } = await cutOwner(
      open({ describe: (...asked) => sending.through(() => server.describe(...asked)) }),
    )
    sending.shut()
    isCut = false
    await pass()
    // The rest was sent, and the last turn begins.
    sending.openOne()
    await quiet()
    const stored = vi.fn()
    void storage.append('s', at(3), some(3, 4)).then(stored)
    await quiet()
    expect(stored).not.toHaveBeenCalled()

    await pass(3000)

    expect(stored).toHaveBeenCalled()
    sending.open()
    for (let round = 0; round < 3; round += 1) await pass()
    expect(await server.read('s')).toEqual(log(4))
  })

  test('[K17] [K19] with the files of a session that went on elsewhere: what is appended meanwhile does not wait for them, and is kept', async () => {
    const files = gate()
    const before = await own(server)
    await before.keepBytes('there', new Blob(['1']))
    const { storage, claim, at } = await cutOwner(
      open({ readBytes: (...asked) => files.through(() => server.readBytes(...asked)) }),
    )
    await writtenElsewhere()
    files.shut()
    isCut = false
    await pass()
    expect(files.waiting()).toBe(1)

    await storage.append('s', at(3), some(3, 4))

    files.open()
    await pass()
    await pass()
    const kept = await server.read(keptIn(claim.lost))
    expect(kept.map((event) => ({ ...event, sessionId: 's' }))).toEqual(log(4))
    expect(await (await server.readBytes(keptIn(claim.lost), 'there'))?.text()).toBe('1')
  })
})

describe('a server that has what was written here, and more', () => {
  /** An owner whose third event is there, though its answer was lost. */
  async function answerLost(remote: Partial<SessionStorage> = {}) {
    const append: SessionStorage['append'] = async (...asked) => {
      await server.append(...asked)
      if (asked[2].some(({ seq }) => seq === 2)) isCut = true
    }
    const storage = open({ append, ...remote })
    const claim = await own(storage)
    const at = (head: number) => ({ head, epoch: claim.epoch })
    await storage.append('s', at(0), log(2))
    await quiet()
    await storage.append('s', at(2), some(2, 3))
    return { claim }
  }

  test('[K16] is read again, and nothing is kept apart', async () => {
    const { claim } = await answerLost()
    await writtenElsewhere('s', 3)
    isCut = false
    await pass()

    expect(claim.lost.reason).toMatchObject({ kind: 'diverged', keptAs: undefined })
    expect(await server.list()).toMatchObject([{ sessionId: 's', events: 4 }])
  })

  test('[K16] is read again, also if that comes between the look and the claim', async () => {
    let isRacing = false
    const { claim } = await answerLost({
      claim: async (...asked) => {
        if (isRacing) {
          isRacing = false
          await writtenElsewhere('s', 3)
        }
        return server.claim(...asked)
      },
    })
    const { release } = await own(server)
    release()
    isRacing = true
    isCut = false
    await pass()
    await pass()

    expect(isRacing).toBe(false)
    expect(claim.lost.reason).toMatchObject({ kind: 'diverged', keptAs: undefined })
  })
})

describe('the copy behind the server', () => {
  test('[K17] is waited for, when the server goes away', async () => {
    const copying = gate()
    const storage = open(
      {},
      { append: (...asked) => copying.through(() => local.append(...asked)) },
    )
    const { epoch } = await own(storage)
    copying.shut()
    await storage.append('s', { head: 0, epoch }, log(2))
    isCut = true
    const stored = vi.fn()
    const appended = storage.append('s', { head: 2, epoch }, some(2, 3)).then(stored)
    await quiet()
    expect(stored).not.toHaveBeenCalled()

    copying.open()
    await appended

    expect(await local.read('s')).toEqual(log(3))
  })

  test('[K17] is not gone on with before it has what was there when it was opened', async () => {
    await server.append('s', { head: 0, epoch: 0 }, log(1200))
    const copying = gate()
    const storage = open(
      {},
      { append: (...asked) => copying.through(() => local.append(...asked)) },
    )
    copying.shut()
    const { epoch, watchOffline } = await own(storage)
    const states: boolean[] = []
    watchOffline?.((isOffline) => states.push(isOffline))
    await quiet()
    isCut = true

    const failed = storage.append('s', { head: 1200, epoch }, [said(1200, '')])

    await expect(failed).rejects.toMatchObject({ kind: 'unavailable' })
    expect(states).toEqual([])
  })

  test('[K17] has what the server has stored though it said otherwise', async () => {
    let isWrong = false
    const append: SessionStorage['append'] = async (...asked) => {
      await server.append(...asked)
      if (isWrong) throw new StorageError('unknown', 'Something went wrong.')
    }
    const storage = open({ append })
    const { epoch } = await own(storage)
    await storage.append('s', { head: 0, epoch }, log(2))
    await quiet()
    isWrong = true
    await storage.append('s', { head: 2, epoch }, some(2, 3)).catch(() => {})
    isWrong = false
    await storage.append('s', { head: 3, epoch }, some(3, 4))
    await quiet()

    expect(await local.read('s')).toEqual(log(4))
  })

  test.for(['written', 'removed'] as const)(
    '[K17] [K20] has in the end what the server has, also what was %s while it was made again',
    async (what) => {
      const first = open()
      const before = await own(first)
      await first.append('s', { head: 0, epoch: before.epoch }, log(2))
      before.release()
      await quiet()
      const removed = (seq: number): DurableEvent => ({
        ...said(seq, ''),
        ...{ type: 'message_redacted', messageId: 'm', artifactIds: [], by: 'user' },
      })
      const redaction = { removedKeys: [], topic: '', replaced: [said(0, '')] }
      const there = await own(server)
      const added = [removed(2)]
      await server.redact?.('s', { head: 2, epoch: there.epoch }, { ...redaction, added })
      const dropping = gate()
      const storage = open({}, { delete: (id) => dropping.through(() => local.delete(id)) })
      dropping.shut()
      const { epoch } = await own(storage)
      await quiet()
      expect(dropping.waiting()).toBe(1)
      if (what === 'written') await storage.append('s', { head: 3, epoch }, [said(3, 'a')])
      else {
        const more = { ...redaction, replaced: [said(1, '')], added: [removed(3)] }
        await storage.redact?.('s', { head: 3, epoch }, more)
      }
      dropping.open()
      await quiet()
      await storage.append('s', { head: 4, epoch }, [said(4, 'b')])
      await quiet()

      expect(await local.read('s')).toEqual(await server.read('s'))
      isCut = true
      await storage.append('s', { head: 5, epoch }, [said(5, 'c')])
    },
  )
})

describe('at the moment when the server is back', () => {
  test('[K18] a file that is being kept here then goes there', async () => {
    const keeping = gate()
    const storage = open(
      {},
      {
        claim: async (...asked) => {
          const claim = await local.claim(...asked)
          const keepBytes: Claim['keepBytes'] = (key, data) =>
            key.endsWith('file')
              ? keeping.through(async () => claim?.keepBytes(key, data))
              : (claim?.keepBytes(key, data) ?? Promise.resolve())
          return claim && { ...claim, keepBytes }
        },
      },
    )
    const { claim } = await cutOwner(storage)
    keeping.shut()
    const kept = claim.keepBytes('file', new Blob(['bytes']))
    await quiet()
    isCut = false
    await pass()
    keeping.open()
    await kept
    await pass()

    expect(await (await server.readBytes('s', 'file'))?.text()).toBe('bytes')
  })

  test('[K18] the server has the title that was given meanwhile', async () => {
    const { storage } = await cutOwner()
    await server.describe('s', { title: 'Before' })
    await storage.describe('s', { title: 'A trip' })
    await pass()
    isCut = false
    await pass()

    expect(await storage.list()).toMatchObject([{ title: 'A trip' }])
    await server.describe('s', { title: 'Given later, elsewhere' })
    isCut = true
    await pass()
    isCut = false
    await pass()
    expect(await storage.list()).toMatchObject([{ title: 'Given later, elsewhere' }])
  })

  test('[K18] a title that was given before a reload is there, too', async () => {
    const { storage, claim } = await cutOwner()
    await storage.describe('s', { title: 'A trip' })
    claim.release()
    isCut = false

    await own(open())

    expect(await server.list()).toMatchObject([{ title: 'A trip' }])
  })

  test('[K18] a device without any space goes on with the server, and without a copy', async () => {
    let isFull = false
    const storage = open(
      {},
      {
        claim: async (...asked) => {
          const claim = await local.claim(...asked)
          const keepBytes: Claim['keepBytes'] = async (key, data) => {
            if (isFull) throw new StorageError('full', 'There is no space.')
            await claim?.keepBytes(key, data)
          }
          return claim && { ...claim, keepBytes }
        },
      },
    )
    const { at, claim } = await cutOwner(storage)
    const states: boolean[] = []
    claim.watchOffline?.((isOffline) => states.push(isOffline))
    isFull = true
    isCut = false
    await pass()

    await storage.append('s', at(3), some(3, 4))

    expect(states).toEqual([true, false])
    expect(await server.read('s')).toEqual(log(4))
    expect(await local.list()).toEqual([])
  })

  test('[K18] a device that has lost its copy meanwhile sends nothing', async () => {
    const append = vi.fn(server.append)
    let isLost = false
    const read: SessionStorage['read'] = async (...asked) => (isLost ? [] : local.read(...asked))
    const { claim } = await cutOwner(open({ append }, { read }))
    const before = append.mock.calls.length
    isLost = true
    isCut = false
    await pass()
    await pass()

    expect(append).toHaveBeenCalledTimes(before)
    expect(claim.lost.aborted).toBe(false)
  })
})

describe('what the server refuses', () => {
  test.for([
    ['full', 'The server has no space. Delete old sessions.'],
    ['unknown', 'The event 3 is too large for the server.'],
  ] as const)(
    '[K15] stays on the device, with the reason, until it takes it: %s',
    async ([kind, why]) => {
      let isRefusing = false
      const append: SessionStorage['append'] = async (...asked) => {
        if (isRefusing) throw new StorageError(kind, why)
        await server.append(...asked)
      }
      const { storage, claim, at } = await cutOwner(open({ append }))
      const shown: unknown[] = []
      claim.watchOffline?.((isOffline, refusal) => shown.push([isOffline, refusal?.kind]))
      isRefusing = true
      isCut = false
      for (let round = 0; round < 3; round += 1) await pass()
      expect(shown).toEqual([
        [true, undefined],
        [true, kind],
      ])
      claim.watchOffline?.((_, refusal) => shown.push(refusal?.message))
      expect(shown.at(-1)).toContain(why)
      await storage.append('s', at(3), some(3, 4))
      expect(await storage.read('s')).toEqual(log(4))
      isRefusing = false
      await pass()

      expect(shown.slice(-2)).toEqual([[false, undefined], undefined])
      expect(await server.read('s')).toEqual(log(4))
    },
  )

  test('[K15] [K18] of files does not let their events overtake them', async () => {
    let isRefusing = true
    const storage = open({
      claim: async (...asked) => {
        const claim = await server.claim(...asked)
        const keepBytes: Claim['keepBytes'] = async (key, data) => {
          if (isRefusing) throw new StorageError('full', 'The server has no space.')
          await claim?.keepBytes(key, data)
        }
        return claim && { ...claim, keepBytes }
      },
    })
    const { claim } = await cutOwner(storage)
    await claim.keepBytes('file', new Blob(['bytes']))
    const refusals = vi.fn()
    claim.watchOffline?.((_, refusal) => void refusals(refusal?.kind))
    isCut = false
    await pass()
    expect(refusals).toHaveBeenLastCalledWith('full')
    expect(await server.read('s')).toEqual(log(2))
    isRefusing = false
    await pass()

    expect(await server.read('s')).toEqual(log(3))
    expect(await (await server.readBytes('s', 'file'))?.text()).toBe('bytes')
  })
})

describe('what is kept apart', () => {
  test('[K19] of a session that was here before it had a server is kept, though the page ends in the middle of that', async () => {
    await local.append('s', { head: 0, epoch: 0 }, log(3))
    isCut = true
    const listing = vi.fn(local.list).mockImplementation(async (id) => {
      if (id?.startsWith('s-')) throw new Error('The page ends.')
      return local.list(id)
    })
    const first = await own(open({}, { list: listing }))
    await server.append('s', { head: 0, epoch: 0 }, [said(0, 'elsewhere')])
    isCut = false
    await pass()
    first.release()
    expect(listing).toHaveBeenCalledWith(expect.stringMatching(/^s-/u))

    const { lost } = await own(open())
    await pass()
    await pass()

    const kept = await server.read(keptIn(lost))
    expect(kept.map((event) => ({ ...event, sessionId: 's' }))).toEqual(log(3))
  })

  test('[K19] is one session, though its page hands over its last events while it is being kept', async () => {
    const files = gate()
    const before = await own(server)
    await before.keepBytes('there', new Blob(['1']))
    const { storage, claim, at } = await cutOwner(
      open({ readBytes: (...asked) => files.through(() => server.readBytes(...asked)) }),
    )
    await writtenElsewhere()
    files.shut()
    isCut = false
    await pass()
    storage.append('s', { ...at(3), isLast: true }, some(3, 4)).catch(() => {})
    await quiet()
    claim.release()

    const { lost } = await own(open())
    await pass()
    await pass()

    expect(keptIn(lost)).toBe('s-1-of-all')
    expect(await server.list()).toHaveLength(2)
    expect(await server.read(keptIn(lost))).toHaveLength(4)
  })

  test('[K19] gets a name of its own where another one was opened before it was whole', async () => {
    const files = gate()
    const before = await own(server)
    await before.keepBytes('there', new Blob(['1']))
    const { storage, claim, at } = await cutOwner(
      open({ readBytes: (...asked) => files.through(() => server.readBytes(...asked)) }),
    )
    await writtenElsewhere()
    isCut = false
    files.shut()
    await pass()
    await storage.append('s', at(3), some(3, 5))
    claim.release()
    files.open()
    await quiet()
    const [entry] = (await local.list()).filter(({ sessionId }) => sessionId !== 's')
    expect(entry).toMatchObject({ sessionId: 's-1-of-all', events: 3 })
    const opened: DurableEvent = { ...said(3, ''), type: 'session_opened', bootId: 'boot' }
    await local.append('s-1-of-all', { head: 3, epoch: (await own(local, 's-1-of-all')).epoch }, [
      { ...opened, sessionId: 's-1-of-all' },
    ])

    const { lost } = await own(open())
    await pass()
    await pass()

    expect(keptIn(lost)).not.toBe('s-1-of-all')
    expect(await server.read(keptIn(lost))).toHaveLength(5)
    expect(await local.read('s-1-of-all')).toHaveLength(4)
  })

  test('[K20] has nothing of what was removed at the server meanwhile', async () => {
    const storage = open()
    const claim = await own(storage)
    const { epoch } = claim
    await claim.keepBytes('secret file', new Blob(['secret']))
    const events = [said(0, 'open'), said(1, 'a secret'), said(2, 'open')]
    await storage.append('s', { head: 0, epoch }, events)
    await quiet()
    isCut = true
    await storage.append('s', { head: 3, epoch }, [said(3, 'of this device')])
    const removed: DurableEvent = {
      ...said(3, ''),
      ...{ type: 'message_redacted', messageId: 'm', artifactIds: ['secret file'], by: 'user' },
    }
    const redaction = { replaced: [said(1, '')], added: [removed], topic: '' }
    const there = await own(server)
    await server.redact?.(
      's',
      { head: 3, epoch: there.epoch },
      { ...redaction, removedKeys: ['secret file'] },
    )
    isCut = false
    await pass()
    await pass()

    const kept = await server.read(keptIn(claim.lost))
    expect(kept).toMatchObject([
      { message: 'open' },
      { message: '' },
      { message: 'open' },
      { message: 'of this device' },
    ])
    expect(await server.list(keptIn(claim.lost))).toMatchObject([{ keys: [] }])
  })
})

describe('a session that waits on this device', () => {
  test('[K17] can be read, with its files, before it is opened', async () => {
    isCut = true
    const first = open()
    const { epoch, keepBytes, release } = await own(first)
    await keepBytes('file', new Blob(['bytes']))
    await first.append('s', { head: 0, epoch }, log(2))
    release()
    isCut = false
    const storage = open()

    expect(await storage.list()).toMatchObject([{ sessionId: 's', events: 2, keys: ['file'] }])
    expect(await storage.read('s')).toEqual(log(2))
    expect(await storage.read('s', 1)).toEqual(some(1, 2))
    expect(await (await storage.readBytes('s', 'file'))?.text()).toBe('bytes')
  })

  test('[K18] is not taken for one that was deleted elsewhere, though it was written while the list was made', async () => {
    const { claim } = await cutOwner()
    isCut = false
    await pass()
    claim.release()
    await server.delete('s')
    await quiet()
    const listing = gate()
    const lister = open({ list: (id) => listing.through(() => server.list(id)) })
    listing.shut()
    const listed = lister.list()
    await quiet()
    isCut = true
    const storage = open()
    const { epoch } = await own(storage)
    await storage.append('s', { head: 3, epoch }, some(3, 4))
    isCut = false
    listing.open()
    await listed

    expect(await local.read('s')).toEqual(log(4))
  })
})

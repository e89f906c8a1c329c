import { type DurableEvent, memoryStorage } from '@offthread/core'
import { type Claim, type SessionStorage, StorageError } from '@offthread/core/storage'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createManualEnvironment, quiet } from '../../../core/src/runtime/environment.fixtures.ts'
import { log } from '../../../core/src/storage/storage.contract.ts'
import { createDeferred } from '../deferred.ts'
import { createAlsoOffline } from './also-offline.ts'
import { createWorld, type Device, type World } from './world.fixtures.ts'

let environment: ReturnType<typeof createManualEnvironment>
let world: World
let device: Device
let other: Device

beforeEach(() => {
  environment = createManualEnvironment()
  world = createWorld(environment.clock)
  device = world.device()
  other = world.device()
})

async function pass(ms = 2000): Promise<void> {
  await quiet()
  environment.clock.advance(ms)
  await quiet()
}

async function own(
  storage: SessionStorage,
  sessionId = 's',
  mode: 'if-free' | 'take' = 'if-free',
): Promise<Claim> {
  const claim = await storage.claim(sessionId, mode)
  if (!claim) throw new Error('The session has an owner.')
  return claim
}

/** The events of session `s` from a number up to another one. */
const some = (from: number, to: number) => log(to).slice(from)

function event(seq: number) {
  const envelope = { v: 1, seq, ts: seq, sessionId: 's', runId: null, turn: 0 } as const
  return { ...envelope, type: 'warning', code: 'test', message: '' } as const
}

/** The session as which a lost one is kept. */
function keptIn({ reason }: AbortSignal): string {
  return reason instanceof StorageError ? (reason.keptAs ?? '') : ''
}

/** An owner of session `s` with two events at the server. */
async function owner() {
  const { storage, end } = device.open()
  const claim = await own(storage)
  const { epoch } = claim
  await storage.append('s', { head: 0, epoch }, log(2))
  await quiet()
  const states: boolean[] = []
  claim.watchOffline?.((isOffline) => states.push(isOffline))
  return { storage, claim, end, states, at: (head: number) => ({ head, epoch }) }
}

describe('without the server', () => {
  test('[K17] [K18] an owner goes on with its copy, and the server has everything when it is back', async () => {
    const { storage, claim, states, at } = await owner()
    device.way.cut()

    await storage.append('s', at(2), some(2, 3))
    await storage.append('s', at(3), some(3, 5))
    await storage.describe('s', { topic: 'A trip.' })
    expect(await storage.read('s')).toEqual(log(5))
    expect(await storage.list()).toMatchObject([{ sessionId: 's', events: 5, keys: [] }])
    expect(await world.server.read('s')).toEqual(log(2))
    expect(states).toEqual([true])
    device.way.mend()
    await pass()

    expect(await world.server.read('s')).toEqual(log(5))
    expect(await world.server.list()).toMatchObject([{ topic: 'A trip.' }])
    expect(states).toEqual([true, false])
    await storage.append('s', at(5), some(5, 6))
    expect(await world.server.read('s')).toEqual(log(6))
    expect(claim.lost.aborted).toBe(false)
  })

  test('[K17] a file under the name of what a copy says of itself changes nothing of that', async () => {
    const { storage, end, at } = await owner()
    for (const key of ['offline', 'offthread:offline', 'offline:file']) {
      await storage.writeBytes('s', key, new Blob(['{"known":1000,"keptAs":"other"}']))
    }
    await quiet()
    end()
    device.way.cut()

    const again = device.open().storage
    const { epoch } = await own(again)
    await again.append('s', { ...at(2), epoch }, some(2, 3))

    expect(await again.read('s')).toEqual(log(3))
  })

  test('[K18] an owner whose claim ended meanwhile goes on, as long as no other one has written', async () => {
    const { storage, claim, states, at } = await owner()
    device.way.cut()
    await storage.append('s', at(2), some(2, 3))
    const { release } = await own(world.server, 's', 'take')
    release()
    device.way.mend()
    await pass()
    await pass()

    await storage.append('s', at(3), some(3, 4))

    expect(await world.server.read('s')).toEqual(log(4))
    expect([claim.lost.aborted, states]).toEqual([false, [true, false]])
  })

  test('[K17] a server that does not answer for 9 s counts as away, and has no event twice if it did get it', async () => {
    const answers: (() => void)[] = []
    const server = memoryStorage()
    let isSlow = false
    const remote: SessionStorage = {
      ...server,
      append: async (...asked) => {
        if (isSlow) await new Promise<void>((resolve) => answers.push(resolve))
        await server.append(...asked)
      },
    }
    const storage = createAlsoOffline({
      ...environment,
      remote,
      local: memoryStorage(),
      newId: () => 'x',
    })
    const { epoch } = await own(storage)
    await storage.append('s', { head: 0, epoch }, log(1))
    await quiet()
    isSlow = true
    const appended = storage.append('s', { head: 1, epoch }, some(1, 2))
    await pass(9000)
    await appended
    isSlow = false
    for (const answer of answers) answer()
    await pass()
    await storage.append('s', { head: 2, epoch }, some(2, 3))
    await pass()

    expect(await server.read('s')).toEqual(log(3))
  })

  test('[K17] a page that opens while the server does not answer owns its copy after 9 s, and keeps the session from no other one', async () => {
    const server = memoryStorage()
    const answering = createDeferred<void>()
    const released = vi.fn()
    const remote: SessionStorage = {
      ...server,
      claim: async (...asked) => {
        await answering.promise
        const claim = await server.claim(...asked)
        return claim && { ...claim, release: released }
      },
    }
    const local = memoryStorage()
    const storage = createAlsoOffline({ ...environment, remote, local, newId: () => 'x' })
    const claiming = own(storage)
    await pass(9000)

    const { epoch } = await claiming
    await storage.append('s', { head: 0, epoch }, log(1))
    expect(await local.read('s')).toEqual(log(1))
    answering.resolve()
    await quiet()
    expect(released).toHaveBeenCalledTimes(1)
  })

  test('[K17] a page that opens without the server owns its copy, unless another tab does', async () => {
    const { end } = await owner()
    device.way.cut()
    end()
    const [one, two] = [device.open().storage, device.open().storage]

    const { epoch } = await own(one)

    expect(await two.claim('s', 'if-free')).toBeNull()
    expect(await one.read('s')).toEqual(log(2))
    await one.append('s', { head: 2, epoch }, some(2, 4))
    // It may turn out to be in another session.
    expect(await two.read('s')).toEqual(log(2))
    device.way.mend()
    await pass()
    expect(await two.read('s')).toEqual(log(4))
  })

  test('[K17] a session that is new has its events and files at the server when that is back, also after a reload', async () => {
    device.way.cut()
    const { storage, end } = device.open()
    const { epoch, keepBytes } = await own(storage)
    await keepBytes('file', new Blob(['bytes']))
    await storage.append('s', { head: 0, epoch }, log(2))
    await storage.describe('s', { title: 'New' })
    end()
    const next = device.open()
    expect(await next.storage.list()).toMatchObject([
      { sessionId: 's', title: 'New', keys: ['file'] },
    ])
    device.way.mend()
    expect(await next.storage.list()).toMatchObject([{ sessionId: 's', title: 'New' }])

    await own(next.storage)

    expect(await world.server.read('s')).toEqual(log(2))
    expect(await (await world.server.readBytes('s', 'file'))?.text()).toBe('bytes')
    expect(await world.server.list()).toMatchObject([{ title: 'New', keys: ['file'] }])
  })

  test('[K17] the last events of a page are there when it is opened again, though the server did not get them', async () => {
    const { storage, end, at } = await owner()
    device.way.cut()
    storage.append('s', { ...at(2), isLast: true }, some(2, 3)).catch(() => {})
    end()
    await quiet()
    const again = device.open()
    const { epoch } = await own(again.storage)
    expect(await again.storage.read('s')).toEqual(log(3))
    again.storage.append('s', { head: 3, epoch, isLast: true }, some(3, 4)).catch(() => {})
    again.end()
    await quiet()
    device.way.mend()

    await own(device.open().storage)

    expect(await world.server.read('s')).toEqual(log(4))
  })

  test('[K17] a copy that is not whole is no session to go on with', async () => {
    await world.server.append('s', { head: 0, epoch: 0 }, log(1200))
    const { storage, end } = device.open()
    const { append } = device.local
    const appending = vi.spyOn(device.local, 'append').mockImplementation(async (...asked) => {
      end()
      await append(...asked)
    })
    await own(storage)
    await quiet()
    appending.mockRestore()
    expect((await device.local.read('s')).length).toBe(500)
    device.way.cut()

    const page = device.open()
    await expect(page.storage.claim('s', 'if-free')).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(page.storage.read('s')).rejects.toMatchObject({ kind: 'unavailable' })
    device.way.mend()
    const { release } = await own(page.storage)
    await quiet()
    release()
    device.way.cut()
    await own(device.open().storage)
    expect(await device.local.read('s')).toEqual(log(1200))
  })

  test('[K17] without space on the device everything is as without a copy', async () => {
    const local = memoryStorage()
    const append = vi.fn(async () => {
      throw new StorageError('full', 'There is no space.')
    })
    let isAway = false
    const server = memoryStorage()
    const remote: SessionStorage = {
      ...server,
      append: async (...asked) => {
        if (isAway) throw new StorageError('unavailable', 'The server is away.')
        await server.append(...asked)
      },
    }
    const storage = createAlsoOffline({
      ...environment,
      remote,
      local: { ...local, append },
      newId: () => 'x',
    })
    const { epoch } = await own(storage)
    await storage.append('s', { head: 0, epoch }, log(1))
    await quiet()
    await storage.append('s', { head: 1, epoch }, some(1, 2))
    isAway = true

    const failed = storage.append('s', { head: 2, epoch }, some(2, 3))

    await expect(failed).rejects.toMatchObject({ kind: 'unavailable' })
    expect(append).toHaveBeenCalledTimes(1)
  })

  test('[K20] deleting and removing content need the server', async () => {
    const { storage, at } = await owner()
    device.way.cut()
    await storage.append('s', at(2), some(2, 3))
    const redaction = { replaced: [], added: some(3, 4), removedKeys: [], topic: '' }

    for (const asked of [storage.delete('s'), storage.redact?.('s', at(3), redaction)]) {
      await expect(asked).rejects.toMatchObject({
        ...{ kind: 'unavailable', message: expect.stringContaining('needs the server') },
      })
    }
    expect(await storage.read('s')).toEqual(log(3))
  })
})

describe('the copy', () => {
  test('[K20] is deleted with its session, here and elsewhere', async () => {
    const { storage, claim } = await owner()
    claim.release()
    await storage.append('t', { head: 0, epoch: (await own(storage, 't')).epoch }, log(1))
    await quiet()
    expect(await device.local.list()).toHaveLength(2)

    await storage.delete('t')
    await world.server.delete('s')
    await storage.list()

    expect(await device.local.list()).toEqual([])
  })

  test('[K17] is whole when its page has given the session back', async () => {
    const { storage } = device.open()
    const { epoch, release } = await own(storage)
    await storage.append('s', { head: 0, epoch }, log(3))
    release()
    await quiet()
    device.way.cut()

    await own(storage)

    expect(await storage.read('s')).toEqual(log(3))
  })

  test('[K20] of a session that was deleted while the page was closed is not the session that comes back', async () => {
    const { end } = await owner()
    end()
    await world.server.delete('s')

    const { storage } = device.open()
    await own(storage)

    expect(await storage.read('s')).toEqual([])
    expect(await device.local.list()).toEqual([])
  })

  test('[K20] has nothing of what was removed, wherever that was done', async () => {
    const { storage, at } = await owner()
    const gone = (seq: number): DurableEvent => ({ ...event(seq), message: 'gone' })
    const removed = (seq: number): DurableEvent => ({
      ...{ ...event(seq), type: 'message_redacted' },
      ...{ messageId: 'm', artifactIds: [], by: 'user' },
    })
    const redaction = { replaced: [gone(0)], added: [removed(2)], removedKeys: [], topic: '' }
    await storage.redact?.('s', at(2), redaction)
    expect(await device.local.read('s')).toEqual(await world.server.read('s'))
    const elsewhere = other.open()
    const { epoch } = await own(elsewhere.storage, 's', 'take')
    const more = { ...redaction, replaced: [gone(1)], added: [removed(3)] }
    await elsewhere.storage.redact?.('s', { head: 3, epoch }, more)
    elsewhere.end()

    await own(device.open().storage, 's', 'take')
    await quiet()

    expect(await device.local.read('s')).toHaveLength(4)
    expect(await device.local.read('s')).toEqual(await world.server.read('s'))
  })

  test('[K17] a session that was on the device before it had a server is sent there when it is opened', async () => {
    await device.local.append('s', { head: 0, epoch: 0 }, log(3))
    const { storage } = device.open()
    expect(await storage.list()).toMatchObject([{ sessionId: 's', events: 3 }])

    await own(storage)

    expect(await world.server.read('s')).toEqual(log(3))
  })
})

describe('a session that went on elsewhere', () => {
  async function written(storage: SessionStorage): Promise<void> {
    const { epoch } = await own(storage, 's', 'take')
    await storage.append('s', { head: 2, epoch }, [{ ...event(2), message: 'elsewhere' }])
  }

  test.for(['while the page is there', 'after a reload'])(
    '[K19] leaves what was done here as a session of its own, with its files: %s',
    async (when) => {
      const { storage, claim, end, at } = await owner()
      await claim.keepBytes('before', new Blob(['1']))
      await storage.describe('s', { title: 'A trip' })
      await quiet()
      device.way.cut()
      await claim.keepBytes('after', new Blob(['2']))
      await storage.append('s', at(2), some(2, 4))
      if (when === 'after a reload') end()
      const elsewhere = other.open()
      await written(elsewhere.storage)
      elsewhere.end()
      device.way.mend()

      const lost = when === 'after a reload' ? (await own(device.open().storage)).lost : claim.lost
      await pass()
      await pass()

      expect(lost.reason).toMatchObject({ kind: 'diverged', keptAs: expect.stringMatching(/^s-/u) })
      const keptAs = keptIn(lost)
      expect(await world.server.read(keptAs)).toEqual(
        log(4).map((event) => ({ ...event, sessionId: keptAs })),
      )
      const entries = await world.server.list(keptAs)
      expect(entries).toMatchObject([{ title: 'A trip (offline)', isOpen: false }])
      for (const [key, text] of [
        ['before', '1'],
        ['after', '2'],
      ] as const) {
        expect(await (await world.server.readBytes(keptAs, key))?.text()).toBe(text)
      }
      expect(await world.server.read('s')).toMatchObject([{}, {}, { message: 'elsewhere' }])
      expect(await device.open().storage.list()).toEqual(await world.server.list())
    },
  )

  test('[K19] that is deleted leaves it, too, and ends as deleted', async () => {
    const { storage, claim, at } = await owner()
    device.way.cut()
    await storage.append('s', at(2), some(2, 3))
    await world.server.delete('s')
    device.way.mend()
    await pass()
    await pass()

    expect(claim.lost.reason).toMatchObject({ kind: 'cleared', keptAs: expect.any(String) })
    expect(await world.server.list()).toMatchObject([{ sessionId: keptIn(claim.lost), events: 3 }])
  })

  test('[K19] leaves nothing of a page that only opened it', async () => {
    const { end } = await owner()
    device.way.cut()
    end()
    const { storage } = device.open()
    const claim = await own(storage)
    const opened: DurableEvent = { ...event(2), type: 'session_opened', bootId: 'boot' }
    await storage.append('s', { head: 2, epoch: claim.epoch }, [opened])
    await written(world.server)
    device.way.mend()
    await pass()

    expect(claim.lost.reason).toMatchObject({ kind: 'diverged', keptAs: undefined })
    expect(await world.server.list()).toHaveLength(1)
    expect(await device.local.list()).toEqual([])
  })

  test('[K19] is kept once, though the page ends in the middle of that', async () => {
    const { storage, end, at } = await owner()
    device.way.cut()
    await storage.append('s', at(2), some(2, 3))
    end()
    await written(world.server)
    device.way.mend()
    const dropping = vi
      .spyOn(device.local, 'delete')
      .mockRejectedValueOnce(new Error('The page ends.'))
    const first = device.open()
    const { lost } = await own(first.storage, 's', 'take')
    await pass()
    first.end()
    expect(dropping).toHaveBeenCalledWith('s')

    const { lost: again } = await own(device.open().storage, 's', 'take')
    await pass()

    expect(keptIn(again)).toBe(keptIn(lost))
    expect(await world.server.list()).toHaveLength(2)
    expect(await device.local.read('s')).toEqual([])
  })
})

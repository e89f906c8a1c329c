import { createHash } from 'node:crypto'
import { openDB } from 'idb'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isObject } from '../../internal/json.ts'
import { type DurableEvent, type Fact, isDurable } from '../../kernel/events.ts'
import { agentEnd, asked, logOf } from '../../kernel/log.fixtures.ts'
import { digestOf } from '../digest-of.ts'
import { describeUnderFaults } from '../faults.contract.ts'
import { lateStorage } from '../faulty-storage.fixtures.ts'
import { type SessionStorage, StorageError } from '../port.ts'
import { bare, describeRedaction } from '../redaction.contract.ts'
import { describeStorage, log } from '../storage.contract.ts'
import { installFakeIndexedDb } from './fake-indexed-db.fixtures.ts'
import { indexedDb } from './indexed-db.ts'

installFakeIndexedDb()

let databases = 0
const create = () => indexedDb({ name: `test-${databases++}` })

describeStorage('indexedDb', create)
describeStorage('indexedDb, with late answers', () => lateStorage(create()))
describeUnderFaults('indexedDb', create)
describeRedaction('indexedDb', create)
describeRedaction('indexedDb, with late answers', () => lateStorage(create()))

describe('in Firefox', () => {
  beforeEach(forgiveCommitted)
  describeStorage('indexedDb', create)
})

describe('in a private window of WebKit', () => {
  beforeEach(refuseBlobs)
  describeStorage('indexedDb', create)
  describeRedaction('indexedDb', create)
})

describe('without BroadcastChannel', () => {
  beforeEach(() => {
    vi.stubGlobal('BroadcastChannel', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
  })
  describeStorage('indexedDb', create)
})

/** As WebKit does in a private window. */
function refuseBlobs(): void {
  const stores = IDBObjectStore.prototype as Record<'put', Requesting>
  const { put } = stores
  vi.spyOn(stores, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
    if (given[0] instanceof Blob) throw new DOMException('No Blob is stored.', 'UnknownError')
    return put.apply(this, given)
  })
  onTestFinished(() => void vi.restoreAllMocks())
}

type Starting = (
  this: IDBDatabase,
  ...given: Parameters<IDBDatabase['transaction']>
) => IDBTransaction
type Requesting = (this: IDBObjectStore, ...given: unknown[]) => IDBRequest<unknown>

/** As Firefox does: a committed transaction is stored though requests of it have failed, unless it is the last one. */
function forgiveCommitted(): void {
  const requested = new Map<IDBTransaction, readonly IDBRequest<unknown>[]>()
  const methods = ['add', 'put', 'delete'] as const
  const stores = IDBObjectStore.prototype as Record<(typeof methods)[number], Requesting>
  for (const method of methods) {
    const original = stores[method]
    vi.spyOn(stores, method).mockImplementation(function (this: IDBObjectStore, ...given) {
      const request = original.apply(this, given)
      requested.set(this.transaction, [...(requested.get(this.transaction) ?? []), request])
      return request
    })
  }
  const transactions: { commit: (this: IDBTransaction) => void } = IDBTransaction.prototype
  const { commit } = transactions
  vi.spyOn(transactions, 'commit').mockImplementation(function (this: IDBTransaction) {
    for (const request of requested.get(this)?.slice(0, -1) ?? []) {
      request.addEventListener('error', (event) => event.preventDefault())
    }
    commit.call(this)
  })
  onTestFinished(() => void vi.restoreAllMocks())
}

test('[I1] [D2] a last append behind one that failed leaves no gap: the next claim removes it', async () => {
  const storage = create()
  const first = await storage.claim('s', 'take')
  const { epoch = 0 } = first ?? {}
  await storage.append('s', { head: 0, epoch }, log(3))
  // Events 3 and 4 were refused while the page went away.
  await storage.append('s', { head: 5, epoch, isLast: true }, log(7).slice(5))

  const next = await storage.claim('s', 'take')

  expect(await storage.read('s')).toEqual(log(3))
  await storage.append('s', { head: 3, epoch: next?.epoch ?? 0 }, log(5).slice(3))
  expect(await storage.read('s')).toEqual(log(5))
})

test('[D2] a last append does not wait for one that is under way, which a page at its end cannot finish', async () => {
  const storage = create()
  const { epoch = 0 } = (await storage.claim('s', 'take')) ?? {}
  const underWay = storage.append('s', { head: 0, epoch }, log(1))
  // Its transaction has begun.
  await Promise.resolve()

  await storage.append('s', { head: 0, epoch, isLast: true }, log(2))

  await expect(underWay).rejects.toMatchObject({ kind: 'conflict' })
  expect(await storage.read('s')).toEqual(log(2))
})

test('[D2] [D9] what else was being written as a page went away is written again if the page lives on', async () => {
  const storage = create()
  const { epoch = 0 } = (await storage.claim('s', 'take')) ?? {}
  const underWay = storage.writeBytes('s', 'file', new Blob(['abc']))
  await Promise.resolve()

  await storage.append('s', { head: 0, epoch, isLast: true }, log(2))

  await underWay
  expect(await (await storage.readBytes('s', 'file'))?.text()).toBe('abc')
  expect(await storage.read('s')).toEqual(log(2))
})

test.for(['get', 'openCursor'] as const)(
  '[D112] [D102] lists a session whose first or last event the browser cannot read, and the others: %s',
  async (method) => {
    const storage = create()
    for (const id of ['bad', 'good']) await storage.append(id, { head: 0, epoch: 0 }, log(2))
    const good = (await storage.list('good'))[0]
    const read = IDBObjectStore.prototype[method]
    vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
      this: IDBObjectStore,
      ...asked: unknown[]
    ): never {
      const [key] = asked
      const [sessionId] = [key instanceof IDBKeyRange ? key.lower : key].flat()
      if (this.name === 'events' && sessionId === 'bad')
        throw new DOMException('Failed to read large IndexedDB value', 'DataError')
      return Reflect.apply(read as (...given: unknown[]) => never, this, asked)
    })
    onTestFinished(() => void vi.restoreAllMocks())

    const listed = await storage.list()

    expect(listed).toEqual([good, expect.objectContaining({ sessionId: 'bad' })])
    expect(listed[1]).toMatchObject({ createdAt: 0, updatedAt: 0, events: 2 })
  },
)

describe('a value that Firefox cannot read, because its bytes are damaged', () => {
  beforeEach(refuseDamagedValues)
  const damagedValue: Readonly<Record<string, [store: string, key: IDBValidKey]>> = {
    event: ['events', ['s', 1]],
    'last event': ['events', ['s', 2]],
    session: ['sessions', 's'],
    'count of claims': ['counters', 'epoch'],
    'mark of a last append': ['counters', ['s']],
  }

  test.for(Object.entries(damagedValue))(
    '[D30] [D112] [D51] hides nothing else, and is waited for by nothing: %s',
    async ([, [store, key]]) => {
      const name = `test-${databases++}`
      const storage = indexedDb({ name })
      for (const id of ['s', 'good']) {
        const claim = (await storage.claim(id, 'take')) ?? expect.fail()
        await storage.append(id, { head: 0, epoch: claim.epoch }, log(3))
        claim.release()
      }
      const database = await openDB(name)
      await database.put(store, { damaged: true }, key)
      database.close()

      expect(await storage.list()).toMatchObject([
        { sessionId: 'good', events: 3 },
        { sessionId: 's', events: 3 },
      ])
      const isEvent = store === 'events'
      if (isEvent) await expect(storage.read('s')).rejects.toMatchObject({ name: 'StorageError' })
      else expect(await storage.read('s')).toEqual(log(3))
      const { epoch } = (await storage.claim('s', 'if-free')) ?? expect.fail()
      expect(epoch).toBeGreaterThan(1)
      await storage.append('s', { head: 3, epoch }, log(4).slice(3))
      expect(await storage.read('s', 3)).toEqual(log(4).slice(3))
    },
  )

  test('[D134] of a file is a damaged file, and one that can be made again is replaced', async () => {
    const name = `test-${databases++}`
    const storage = indexedDb({ name })
    for (const key of ['a', 'b', 'offthread:c']) await storage.writeBytes('s', key, new Blob([key]))
    const database = await openDB(name)
    const [content = []] = await database.getAllKeys('contents')
    await database.put('contents', { damaged: true }, content)
    await database.put('bytes', { damaged: true }, ['s', 'offthread:c'])
    database.close()

    const read = (key: string) => storage.readBytes('s', key).then((it) => it?.text(), kindOf)
    expect([await read('a'), await read('b')].toSorted()).toEqual([expect.anything(), 'damaged'])
    expect(await read('offthread:c')).toBe('damaged')
    await storage.writeBytes('s', 'offthread:c', new Blob(['new']))
    expect(await read('offthread:c')).toBe('new')
  })

  test('[D134] of the name of a file keeps no file from being written or removed', async () => {
    const name = `test-${databases++}`
    const storage = indexedDb({ name })
    await storage.append('s', { head: 0, epoch: 0 }, log(3))
    for (const key of ['a', 'b', 'c', 'd']) await storage.writeBytes('s', key, new Blob([key]))
    const database = await openDB(name)
    for (const key of ['a', 'b', 'c']) await database.put('bytes', { damaged: true }, ['s', key])
    const read = (key: string) => storage.readBytes('s', key).then((it) => it?.text(), kindOf)

    await storage.writeBytes('s', 'a', new Blob(['new']))
    const redaction = { replaced: [], added: [], removedKeys: ['b'], topic: '' }
    await storage.redact?.('s', { head: 3, epoch: 0 }, redaction)

    expect(await Promise.all(['a', 'b', 'c', 'd'].map(read))).toEqual([
      ...['new', undefined, 'damaged', 'd'],
    ])
    expect(await database.count('contents')).toBe(2)
    expect(await storage.list()).toMatchObject([{ bytes: 4 }])
    database.close()
  })

  test.for(Object.entries(damagedValue))(
    '[D12] does not keep its session from being deleted: %s',
    async ([, [store, key]]) => {
      const name = `test-${databases++}`
      const storage = indexedDb({ name })
      for (const id of ['s', 'good']) await storage.append(id, { head: 0, epoch: 0 }, log(3))
      const database = await openDB(name)
      await database.put(store, { damaged: true }, key)
      database.close()

      await storage.delete('s')

      expect(await storage.list()).toMatchObject([{ sessionId: 'good', events: 3 }])
    },
  )
})

function kindOf(error: unknown): string {
  return error instanceof StorageError ? error.kind : String(error)
}

/** As Firefox does: a value whose bytes are damaged throws where it is read, in the middle of the event of its request. */
function refuseDamagedValues(): void {
  const { prototype } = IDBRequest
  const property = Object.getOwnPropertyDescriptor(prototype, 'result')
  vi.spyOn(prototype, 'result', 'get').mockImplementation(function (this: IDBRequest) {
    const value: unknown = property?.get?.call(this)
    const isDamaged = [value].flat().some((one) => isObject(one) && one['damaged'] === true)
    if (isDamaged) throw new DOMException('It is not usable.', 'InvalidStateError')
    return value
  })
  onTestFinished(() => void vi.restoreAllMocks())
}

test.for<[string, unknown]>([
  ['cannot be read', { damaged: true }],
  ['has changed', new Blob(['other'])],
])(
  '[D134] a file whose content %s is there again once an equal one is written',
  async ([, damage]) => {
    refuseDamagedValues()
    const name = `test-${databases++}`
    const storage = indexedDb({ name })
    const write = () => storage.writeBytes('s', 'a', new Blob(['a']))
    await storage.append('s', { head: 0, epoch: 0 }, log(1))
    await write()
    const database = await openDB(name)
    const [content = []] = await database.getAllKeys('contents')
    await database.put('contents', damage, content)
    database.close()
    await expect(storage.readBytes('s', 'a')).rejects.toMatchObject({ kind: 'damaged' })

    await write()

    expect(await (await storage.readBytes('s', 'a'))?.text()).toBe('a')
    expect(await storage.list('s')).toMatchObject([{ bytes: 1 }])
  },
)

test('[D132] who opens a session after one of its name was deleted stays, though the notice of that comes later', async () => {
  const name = `test-${databases++}`
  const [one, other] = [indexedDb({ name }), indexedDb({ name })]
  const before = await other.claim('s', 'take')
  await one.append('s', { head: 0, epoch: before?.epoch ?? 0 }, log(1))
  const lines = [other.connect('s', () => {})]
  onTestFinished(() => {
    for (const { close } of lines) close()
  })

  await one.delete('s')
  // At once, and so before the other page has the notice.
  lines.push(
    other.connect('s', () => {}),
    one.connect('s', () => {}),
  )
  before?.release()
  const next = await other.claim('s', 'take')
  await other.append('s', { head: 0, epoch: next?.epoch ?? 0 }, log(2))

  await expect.poll((): unknown => lines[0]?.ended.reason).toMatchObject({ kind: 'cleared' })
  // What came of the notice would have come before.
  await other.list()
  for (const ended of [next?.lost, lines[1]?.ended, lines[2]?.ended])
    expect(ended?.aborted).toBe(false)
  await one.delete('s')
  for (const ended of [next?.lost, lines[1]?.ended, lines[2]?.ended])
    await expect.poll((): unknown => ended?.reason).toMatchObject({ kind: 'cleared' })
})

test('[D136] [D106] of a deletion whose page ended before it notified the others, the next claim of that name notifies them', async () => {
  const name = `test-${databases++}`
  const [one, other] = [indexedDb({ name }), indexedDb({ name })]
  const before = (await other.claim('s', 'take')) ?? expect.fail()
  await other.append('s', { head: 0, epoch: before.epoch }, log(3))
  const line = other.connect('s', () => {})
  onTestFinished(line.close)
  const waiting = other.claim('s', 'wait')
  // The session is joined.
  await other.list()
  const channels = vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockReturnValue()
  await one.delete('s')
  channels.mockRestore()
  expect(line.ended.aborted).toBe(false)

  before.release()

  await expect(waiting).rejects.toMatchObject({ kind: 'cleared' })
  // A claim that comes to nothing leaves no session.
  const next = (await one.claim('s', 'if-free')) ?? expect.fail()
  expect(next.unconfirmed).toBe(0)
  await expect.poll((): unknown => line.ended.reason).toMatchObject({ kind: 'cleared' })
  expect(next.lost.aborted).toBe(false)
  await one.append('s', { head: 0, epoch: next.epoch }, log(1))
})

test('[D136] the claims of one session end nothing for those who joined it', async () => {
  const name = `test-${databases++}`
  const [one, other] = [indexedDb({ name }), indexedDb({ name })]
  // Before there is anything of it.
  const lines = [other.connect('s', () => {})]
  await other.list()
  for (const mode of ['if-free', 'take', 'take'] as const) {
    const claim = (await one.claim('s', mode)) ?? expect.fail()
    await one.append(
      's',
      { head: lines.length - 1, epoch: claim.epoch },
      log(3).slice(lines.length - 1, lines.length),
    )
    lines.push(other.connect('s', () => {}))
    await other.list()
  }
  for (const { ended } of lines) expect(ended.aborted).toBe(false)

  await one.delete('s')
  for (const { ended } of lines)
    await expect.poll((): unknown => ended.reason).toMatchObject({ kind: 'cleared' })
})

test('[D139] a notice of a deletion that was none ends nothing, whoever posts it', async () => {
  const name = `test-${databases++}`
  const [one, other] = [indexedDb({ name }), indexedDb({ name })]
  // Before there is anything of it.
  const lines = [other.connect('s', () => {})]
  await other.list()
  const claim = (await one.claim('s', 'take')) ?? expect.fail()
  await one.append('s', { head: 0, epoch: claim.epoch }, log(3))
  lines.push(other.connect('s', () => {}))
  onTestFinished(() => {
    for (const { close } of lines) close()
  })
  const stranger = new BroadcastChannel(name)
  onTestFinished(() => stranger.close())
  const forge = (notice: object) => stranger.postMessage({ sessionId: 's', notice })
  const endings = () => [claim.lost, ...lines.map(({ ended }) => ended)]

  for (const number of [-1, 0, 1, 2, 1e9, Number.NaN, Number.POSITIVE_INFINITY]) {
    forge({ kind: 'deleted', epoch: number })
    forge({ kind: 'claimed', born: number })
  }
  // What is posted later comes later, and is read later.
  await one.writeBytes('s', 'a', new Blob(['a']))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await other.list()
  for (const { aborted } of endings()) expect(aborted).toBe(false)

  await other.delete('s')
  for (const ended of endings())
    await expect.poll((): unknown => ended.reason).toMatchObject({ kind: 'cleared' })
})

describe('files', () => {
  const file = (text: string, type = '') => new Blob([text], { type })
  const contentsOf = async (name: string) => {
    const database = await openDB(name)
    const contents = await database.getAllKeys('contents')
    database.close()
    return contents.length
  }

  test('[D133] equal ones of a session are kept and counted once, until no key names them any more', async () => {
    const name = `test-${databases++}`
    const storage = indexedDb({ name })
    for (const id of ['s', 't']) await storage.append(id, { head: 0, epoch: 0 }, log(2))
    await storage.writeBytes('s', 'a', file('equal', 'text/plain'))
    await storage.writeBytes('s', 'b', file('equal', 'text/csv'))
    await storage.writeBytes('s', 'b', file('equal', 'text/html'))
    await storage.writeBytes('s', 'c', file('other'))
    await storage.writeBytes('t', 'a', file('equal'))

    expect(await contentsOf(name)).toBe(3)
    expect(await storage.list('s')).toMatchObject([{ bytes: 10, keys: ['a', 'b', 'c'] }])
    expect((await storage.readBytes('s', 'a'))?.type).toBe('text/plain')
    expect((await storage.readBytes('s', 'b'))?.type).toBe('text/html')

    await storage.writeBytes('s', 'a', null)
    expect(await (await storage.readBytes('s', 'b'))?.text()).toBe('equal')
    const redaction = { replaced: [bare(1)], added: [bare(2)], topic: '' }
    await storage.redact?.('s', { head: 2, epoch: 0 }, { ...redaction, removedKeys: ['b'] })
    expect(await contentsOf(name)).toBe(2)
    expect(await storage.list('s')).toMatchObject([{ bytes: 5, keys: ['c'] }])
    await storage.delete('s')
    expect(await contentsOf(name)).toBe(1)
    await storage.writeBytes('t', 'a', file('new'))
    expect(await storage.list('t')).toMatchObject([{ bytes: 3, keys: ['a'] }])
    expect(await contentsOf(name)).toBe(1)
  })

  test.for(['changed', 'gone', 'not readable'])(
    '[D134] one that is %s is damaged, and the rest is not',
    async (what) => {
      const name = `test-${databases++}`
      const storage = indexedDb({ name })
      await storage.writeBytes('s', 'a', file('abc'))
      await storage.writeBytes('s', 'b', file('def'))
      const database = await openDB(name)
      for (const key of await database.getAllKeys('contents')) {
        const content: Blob = await database.get('contents', key)
        if ((await content.text()) !== 'abc') continue
        if (what === 'gone') await database.delete('contents', key)
        else if (what === 'changed') await database.put('contents', file('abd'), key)
      }
      database.close()
      // As Chromium does with a Blob whose file is gone or cut.
      const refusal = new DOMException('It could not be read.', 'NotReadableError')
      const reading = vi.spyOn(Blob.prototype, 'arrayBuffer')
      if (what === 'not readable') reading.mockRejectedValueOnce(refusal)
      onTestFinished(() => void reading.mockRestore())

      await expect(storage.readBytes('s', 'a')).rejects.toMatchObject({ kind: 'damaged' })
      expect(await (await storage.readBytes('s', 'b'))?.text()).toBe('def')
    },
  )

  test('[D51] what is kept of a session beside its events may be damaged, and it opens and is listed', async () => {
    const name = `test-${databases++}`
    const storage = indexedDb({ name })
    await storage.append('s', { head: 0, epoch: 0 }, log(2))
    const database = await openDB(name)
    await database.put('sessions', { title: { toString: 1 }, topic: 7, bytes: 'many' }, 's')
    database.close()

    const [entry] = await storage.list('s')
    const claim = await storage.claim('s', 'if-free')
    await storage.append('s', { head: 2, epoch: claim?.epoch ?? 0 }, log(3).slice(2))

    expect(entry).toMatchObject({ bytes: 0, events: 2 })
    expect([entry?.title, entry?.topic]).toEqual([undefined, undefined])
    expect(await storage.read('s')).toEqual(log(3))
  })

  test('[D30] [D112] keys that another script has made, and a session that is no object, hide nothing', async () => {
    const name = `test-${databases++}`
    const storage = indexedDb({ name })
    for (const id of ['s', 'good']) await storage.append(id, { head: 0, epoch: 0 }, log(2))
    await storage.writeBytes('s', 'a', file('abc'))
    const database = await openDB(name)
    const keys = [5, 's', ['s', 'x'], ['s', []], ['s', -1], [[], 1], [7, 0]]
    for (const key of keys) await database.put('events', null, key)
    await database.put('bytes', null, ['s', 7])
    await database.put('sessions', null, 's')
    await database.delete('sessions', 'good')
    database.close()

    expect(await storage.list()).toMatchObject([
      { sessionId: 'good', events: 2 },
      { sessionId: 's', events: 2, keys: ['a'] },
    ])
    for (const id of ['s', 'good']) {
      const { epoch } = (await storage.claim(id, 'if-free')) ?? expect.fail()
      await storage.append(id, { head: 2, epoch }, log(3).slice(2))
      expect(await storage.read(id)).toEqual(log(3))
    }
    await storage.redact?.(
      's',
      { head: 3, epoch: 1 },
      {
        ...{ replaced: [bare(1)], added: [bare(3)], removedKeys: ['a'], topic: '' },
      },
    )
    expect(await storage.list('s')).toMatchObject([{ events: 4, keys: [] }])
  })

  test.for([undefined, 0, null, 'x', Number.NaN])(
    '[D1] a claim is larger than the last one of its session also if the count of claims is %s',
    async (odd) => {
      const name = `test-${databases++}`
      const storage = indexedDb({ name })
      for (const id of ['t', 's', 's', 's']) (await storage.claim(id, 'take'))?.release()
      const database = await openDB(name)
      await database.clear('counters')
      if (odd !== undefined) await database.put('counters', odd, 'epoch')
      database.close()

      const { epoch } = (await storage.claim('s', 'if-free')) ?? expect.fail()
      await storage.append('s', { head: 0, epoch }, log(1))
      await storage.append('s', { head: 1, epoch }, log(2).slice(1))

      expect(epoch).toBe(5)
      expect(await storage.read('s')).toEqual(log(2))
    },
  )

  test.for([1e300, Number.NaN, null, 'x', new Date(0)])(
    '[D51] numbers kept beside a session may be %s, and it opens',
    async (odd) => {
      const name = `test-${databases++}`
      const storage = indexedDb({ name })
      await storage.append('s', { head: 0, epoch: 0 }, log(2))
      const database = await openDB(name)
      await database.put('counters', odd, ['s'])
      await database.put('sessions', { epoch: 1, unconfirmed: odd, bytes: odd, born: odd }, 's')
      database.close()

      const { epoch } = (await storage.claim('s', 'if-free')) ?? expect.fail()
      await storage.append('s', { head: 2, epoch }, log(3).slice(2))

      expect(await storage.read('s')).toEqual(log(3))
    },
  )

  test('[D135] a database of the first version opens with its events and files', async () => {
    const name = `test-${databases++}`
    const first = await openDB(name, 1, {
      upgrade: (made) => {
        for (const store of ['sessions', 'events', 'bytes', 'counters'])
          made.createObjectStore(store)
      },
    })
    await first.put('sessions', { epoch: 3, unconfirmed: 0, bytes: 6, title: 'Old' }, 's')
    for (const event of log(2)) await first.put('events', event, ['s', event.seq])
    for (const key of ['a', 'b']) await first.put('bytes', file('old', 'x/y'), ['s', key])
    await first.put('counters', 3, 'epoch')
    first.close()

    const storage = indexedDb({ name })

    expect(await storage.read('s')).toEqual(log(2))
    expect(await storage.list()).toMatchObject([{ title: 'Old', bytes: 6, keys: ['a', 'b'] }])
    expect(await (await storage.readBytes('s', 'a'))?.text()).toBe('old')
    await storage.writeBytes('s', 'a', file('newer'))
    await storage.writeBytes('s', 'b', null)
    expect(await storage.list()).toMatchObject([{ bytes: 5, keys: ['a'] }])
    expect((await storage.claim('s', 'take'))?.epoch).toBe(4)
  })

  test('[D133] [D9] bytes and the events that name them are stored in the order in which they came', async () => {
    const storage = create()
    const { epoch, keepBytes } = (await storage.claim('s', 'take')) ?? expect.fail()
    const kept = [keepBytes('a', file('first')), keepBytes('a', null), keepBytes('b', file('b'))]
    await storage.append('s', { head: 0, epoch }, log(1))

    expect(await storage.list()).toMatchObject([{ bytes: 1, keys: ['b'] }])
    await Promise.all(kept)
    await expect(storage.writeBytes('s', 'c', unreadable())).rejects.toMatchObject({
      name: 'StorageError',
    })
    await storage.append('s', { head: 1, epoch }, log(2).slice(1))
    expect(await storage.list()).toMatchObject([{ events: 2, bytes: 1, keys: ['b'] }])
  })

  test.for([3, 40_000_000])(
    '[D133] without a secure context, and of %i bytes, the digest is the same',
    async (size) => {
      const data = new Blob([new Uint8Array(size).fill(7)])
      const expected = createHash('sha256').update(new Uint8Array(await data.arrayBuffer()))
      const digests = [await digestOf(data)]
      vi.stubGlobal('crypto', {})
      onTestFinished(() => void vi.unstubAllGlobals())
      digests.push(await digestOf(data))

      expect(new Set(digests)).toEqual(new Set([expected.digest('hex')]))
    },
  )

  /** A file that was changed on the disk since it was chosen. */
  function unreadable(): Blob {
    return Object.assign(file('gone'), {
      arrayBuffer: () => Promise.reject(new DOMException('It changed.', 'NotReadableError')),
    })
  }
})

describe('a page that goes away while it opens a session', () => {
  /** A page that opens the session, and ends before that is confirmed: by itself, or because it breaks. */
  async function opened(storage: SessionStorage, isLeft: boolean): Promise<number> {
    const page = new EventTarget()
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
    const claim = await storage.claim('s', 'take')
    if (isLeft) page.dispatchEvent(new Event('pagehide'))
    return claim?.unconfirmed ?? -1
  }

  test('[D101] has not broken, however often it is reloaded; one that ends without a word has', async () => {
    keepInLocalStorage()
    const storage = create()
    for (let times = 0; times < 5; times += 1) expect(await opened(storage, true)).toBe(0)

    expect(await opened(storage, false)).toBe(0)
    expect(await opened(storage, false)).toBe(1)
    expect(await opened(storage, true)).toBe(2)
    expect(await opened(storage, false)).toBe(0)
  })

  test('[D101] counts as broken where it can note nothing', async () => {
    vi.stubGlobal('localStorage', {})
    const storage = create()

    expect(await opened(storage, true)).toBe(0)
    expect(await opened(storage, true)).toBe(1)
  })

  test('[D101] [D12] leaves no note of what is confirmed, released or deleted', async () => {
    const kept = keepInLocalStorage()
    const storage = create()
    const page = new EventTarget()
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
    await (await storage.claim('s', 'take'))?.confirm()
    const { release } = (await storage.claim('t', 'take')) ?? {}
    release?.()
    page.dispatchEvent(new Event('pagehide'))
    expect(kept.size).toBe(0)

    await opened(storage, true)
    expect(kept.size).toBe(1)
    await storage.delete('s')
    expect(kept.size).toBe(0)
  })
})

test('[D85] a page that the browser keeps has no claim, whatever it does with it, and learns that when it is back', async () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  onTestFinished(() => void vi.unstubAllGlobals())
  const go = (type: string, persisted: boolean) =>
    page.dispatchEvent(Object.assign(new Event(type), { persisted }))
  const storage = create()
  const first = (await storage.claim('s', 'if-free')) ?? expect.fail()
  const given = (await storage.claim('t', 'if-free')) ?? expect.fail()
  go('pageshow', false)
  go('pagehide', false)
  expect(await storage.claim('s', 'if-free')).toBeNull()
  given.release()

  go('pagehide', true)

  const second = (await storage.claim('s', 'if-free')) ?? expect.fail()
  expect(first.lost.aborted).toBe(false)
  go('pageshow', true)
  expect(first.lost.reason).not.toBeInstanceOf(StorageError)
  expect([first.lost.aborted, given.lost.aborted]).toEqual([true, false])
  await storage.append('s', { head: 0, epoch: second.epoch }, log(1))
})

test('[D87] sessions that were only looked at cost the list nothing', async () => {
  const storage = create()
  for (const sessionId of ['a', 'b']) await storage.append(sessionId, { head: 0, epoch: 0 }, log(3))
  const begin = vi.spyOn(IDBObjectStore.prototype, 'get')
  onTestFinished(() => begin.mockRestore())
  const listed = await storage.list()
  const requests = begin.mock.calls.length
  for (let visit = 0; visit < 20; visit += 1) {
    const claim = await storage.claim(`visit ${visit}`, 'if-free')
    claim?.release()
  }
  begin.mockClear()

  expect(await storage.list()).toEqual(listed)

  expect(begin).toHaveBeenCalledTimes(requests)
})

test('[D32] a redaction that breaks in its middle has done nothing', async () => {
  const storage = create()
  await storage.append('s', { head: 0, epoch: 0 }, log(3))
  await storage.writeBytes('s', 'file', new Blob(['abc']))
  const uncloneable = { ...bare(1), message: Object.assign(() => {}, { toJSON: 'no' }) }
  const replaced = [bare(0), Object.assign(bare(1), uncloneable), bare(2)]

  const done = storage.redact?.(
    's',
    { head: 3, epoch: 0 },
    { replaced, added: [bare(3)], removedKeys: ['file'], topic: '' },
  )

  await expect(done).rejects.toMatchObject({ name: 'StorageError' })
  expect(await storage.read('s')).toEqual(log(3))
  expect(await (await storage.readBytes('s', 'file'))?.text()).toBe('abc')
})

test('[D32] a redaction that a page at its end cannot finish is not done, or done later', async () => {
  const storage = create()
  const { epoch = 0 } = (await storage.claim('s', 'take')) ?? {}
  await storage.append('s', { head: 0, epoch }, log(3))
  const redaction = { replaced: [bare(1)], added: [bare(3)], removedKeys: [], topic: '' }
  const underWay = storage.redact?.('s', { head: 3, epoch }, redaction)
  await Promise.resolve()

  await storage.append('s', { head: 3, epoch, isLast: true }, log(4).slice(3))

  await expect(underWay).rejects.toMatchObject({ kind: 'conflict' })
  expect(await storage.read('s')).toEqual(log(4))
})

test('[J1] an append that breaks in its middle stores nothing', async () => {
  const storage = create()
  const [first, second] = log(2)
  if (!first || !second) throw new Error('There are no events.')
  const broken = Object.assign({ ...second }, { message: () => 'No JSON.' })

  const append = storage.append('s', { head: 0, epoch: 0 }, [first, broken])

  await expect(append).rejects.toMatchObject({ name: 'StorageError' })
  expect(await storage.read('s')).toEqual([])
})

describe('a connection that the browser has lost', () => {
  const connections: { transaction: Starting } = IDBDatabase.prototype
  const { transaction } = connections
  let used: IDBDatabase | undefined

  beforeEach(() => {
    const start = vi.spyOn(connections, 'transaction')
    onTestFinished(() => start.mockRestore())
    start.mockImplementation(function (this: IDBDatabase, ...given) {
      used = this
      return transaction.apply(this, given)
    })
  })

  test('[D11] is replaced by another one', async () => {
    const storage = create()
    const { epoch = 0 } = (await storage.claim('s', 'take')) ?? {}
    await storage.append('s', { head: 0, epoch }, log(2))

    used?.close()
    await storage.append('s', { head: 2, epoch }, log(3).slice(2))
    used?.close()
    await storage.append('s', { head: 3, epoch, isLast: true }, log(4).slice(3))
    used?.close()

    expect(await storage.read('s')).toEqual(log(4))
  })

  test('[D11] is named where there is no other one', async () => {
    const storage = create()
    await storage.append('s', { head: 0, epoch: 0 }, log(2))

    vi.spyOn(connections, 'transaction').mockImplementation(() => {
      throw new DOMException('The database connection is closing.', 'InvalidStateError')
    })

    await expect(storage.read('s')).rejects.toMatchObject({ name: 'StorageError', kind: 'unknown' })
    const append = storage.append('s', { head: 2, epoch: 0 }, log(3).slice(2))
    await expect(append).rejects.toMatchObject({ name: 'StorageError', kind: 'unknown' })
  })

  test('[D11] because its database was deleted does not make it again', async () => {
    const name = `test-${databases++}`
    const storage = indexedDb({ name })
    await storage.append('s', { head: 0, epoch: 0 }, log(2))

    used?.close()
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(name).onsuccess = resolve
    })

    await expect(storage.read('s')).rejects.toMatchObject({ kind: 'cleared' })
    const append = storage.append('s', { head: 2, epoch: 0 }, log(3).slice(2))
    await expect(append).rejects.toMatchObject({ kind: 'cleared' })
    expect((await indexedDB.databases()).map((one) => one.name)).not.toContain(name)
  })
})

test('a last append that fits stays', async () => {
  const storage = create()
  const { epoch = 0 } = (await storage.claim('s', 'take')) ?? {}
  await storage.append('s', { head: 0, epoch }, log(3))
  await storage.append('s', { head: 3, epoch, isLast: true }, log(5).slice(3))

  await storage.claim('s', 'take')

  expect(await storage.read('s')).toEqual(log(5))
})

describe('what a page handed over and IndexedDB dropped', () => {
  let kept: Map<string, string>

  beforeEach(() => {
    kept = keepInLocalStorage()
  })

  /** A page that ends before IndexedDB begins with what it handed over, after two events. */
  async function gone(storage = create()) {
    const { epoch = 0, release } = (await storage.claim('s', 'take')) ?? {}
    await storage.append('s', { head: 0, epoch }, log(2))
    await handOver(storage, { epoch, head: 2 }, log(4).slice(2))
    release?.()
    expect(await storage.read('s')).toEqual(log(2))
    return { storage, epoch }
  }

  async function handOver(
    storage: SessionStorage,
    position: { readonly head: number; readonly epoch: number },
    events: readonly DurableEvent[],
  ): Promise<void> {
    const commit = vi.spyOn(IDBTransaction.prototype, 'commit')
    commit.mockImplementation(function (this: IDBTransaction) {
      this.abort()
    })
    const last = storage.append('s', { ...position, isLast: true }, events)
    await expect(last).rejects.toMatchObject({ name: 'StorageError' })
    commit.mockRestore()
  }

  const question = asked('How far is it?')

  /** A page that ends before any event of its session is stored. */
  async function goneAtOnce(events: readonly DurableEvent[], storage = create()) {
    const { epoch = 0, release } = (await storage.claim('s', 'take')) ?? {}
    await handOver(storage, { epoch, head: 0 }, events)
    release?.()
    return storage
  }

  test('[D88] is stored by the next claim, and kept no longer', async () => {
    const { storage } = await gone()
    expect(kept.size).toBe(1)

    const next = await storage.claim('s', 'if-free')

    expect(await storage.read('s')).toEqual(log(4))
    expect(kept.size).toBe(0)
    await storage.append('s', { head: 4, epoch: next?.epoch ?? 0 }, log(5).slice(4))
    expect(await storage.read('s')).toEqual(log(5))
  })

  test('[D88] is stored once, also if a part of it had been', async () => {
    const { storage, epoch } = await gone()
    await storage.append('s', { head: 2, epoch }, log(3).slice(2))

    await storage.claim('s', 'if-free')

    expect(await storage.read('s')).toEqual(log(4))
  })

  test('[D2] [D88] is not stored behind a gap, nor after another claim', async () => {
    const { storage, epoch } = await gone()
    const [[key = '', text = ''] = []] = kept
    kept.set(key, text.replace('"head":2', '"head":5'))
    await storage.claim('s', 'take')
    expect(await storage.read('s')).toEqual(log(2))

    kept.set(key, text)
    await storage.claim('s', 'take')
    expect(epoch).toBeGreaterThan(0)
    expect(await storage.read('s')).toEqual(log(2))
  })

  test('[D12] [D88] is deleted with its session', async () => {
    const { storage } = await gone()

    await storage.delete('s')

    expect(kept.size).toBe(0)
    await storage.claim('s', 'if-free')
    expect(await storage.read('s')).toEqual([])
  })

  test('[D88] is not kept for a page that lives on', async () => {
    const storage = create()
    const { epoch = 0 } = (await storage.claim('s', 'take')) ?? {}

    await storage.append('s', { head: 0, epoch, isLast: true }, log(2))

    expect(await storage.read('s')).toEqual(log(2))
    expect(kept.size).toBe(0)
  })

  test('[D88] [D22] is stored before a list is made, which shows a session that had nothing else', async () => {
    const storage = await goneAtOnce(storedOf(...question))
    const shown = { sessionId: 's', topic: 'How far is it?', status: 'running', isOpen: false }

    expect(await storage.list()).toMatchObject([{ ...shown, events: 5, createdAt: 1000 }])

    expect(kept.size).toBe(0)
    expect(await storage.read('s')).toEqual(storedOf(...question))
    // The page that left has not broken, and the list has not opened the session.
    expect(await storage.claim('s', 'if-free')).toMatchObject({ epoch: 2, unconfirmed: 1 })
  })

  test.for([
    ['stop', 'idle'],
    ['error', 'error'],
    ['awaiting_approval', 'waiting'],
    ['awaiting_tool_results', 'waiting'],
  ] as const)(
    '[D22] is stored before a list is made, also if the run had ended: %s',
    async ([reason, status]) => {
      const storage = await goneAtOnce(storedOf(...question, agentEnd(reason)))
      await storage.describe('s', { topic: 'As it was', title: 'Mine' })

      const listed = await storage.list('s')

      expect(listed).toMatchObject([{ topic: 'As it was', title: 'Mine', status, events: 6 }])
    },
  )

  test('[D88] stays as long as its session has an owner, and keeps no other from a list', async () => {
    const storage = await goneAtOnce(storedOf(...question))
    const key = [...kept.keys()][0] ?? ''
    const copy = kept.get(key) ?? ''
    for (const broken of ['', 'no JSON', '[]']) kept.set(`${key}-${broken}`, broken)
    const { epoch, release: close } = (await storage.claim('broken', 'if-free')) ?? expect.fail()
    close()
    const events = [{ type: 'message_end' }]
    kept.set(key.replace(/s$/, 'broken'), JSON.stringify({ epoch, head: 0, events }))
    const { release } = (await storage.claim('s', 'if-free')) ?? expect.fail()
    kept.set(key, copy.replace('"epoch":1', '"epoch":3').replace('"head":0', '"head":5'))
    await storage.append('other', { head: 0, epoch: 0 }, log(1))

    expect(await storage.list()).toMatchObject([
      { sessionId: 's', events: 5 },
      { sessionId: 'other', events: 1 },
    ])
    expect(kept.has(key)).toBe(true)

    release()
    expect(await storage.list('other')).toMatchObject([{ sessionId: 'other' }])
    expect(kept.has(key)).toBe(true)
    await storage.list()
    expect(kept.has(key)).toBe(false)
  })

  test('[D12] [D32] comes back to no list once its session is deleted or redacted', async () => {
    const storage = await goneAtOnce(storedOf(...question))
    const [[key = '', copy = ''] = []] = kept
    await storage.delete('s')
    kept.set(key, copy)

    expect(await storage.list()).toEqual([])

    expect(kept.size).toBe(0)
  })

  test('[D88] is lost, and nothing else, where the page may not keep it', async () => {
    vi.stubGlobal('localStorage', {
      getItem: () => 'no JSON',
      setItem: () => {
        throw new DOMException('It is full.', 'QuotaExceededError')
      },
      removeItem: () => {
        throw new DOMException('It is forbidden.', 'SecurityError')
      },
    })
    const { storage } = await gone()

    expect(await storage.list()).toMatchObject([{ sessionId: 's', events: 2 }])
    expect(await storage.claim('s', 'if-free')).not.toBeNull()

    expect(await storage.read('s')).toEqual(log(2))
  })
})

/** The stored events of these facts. */
function storedOf(...facts: readonly Fact[]): readonly DurableEvent[] {
  return logOf(facts).flatMap((event) => (isDurable(event) ? event : []))
}
function keepInLocalStorage(): Map<string, string> {
  const kept = new Map<string, string>()
  const methods = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
  const itsKeys = {
    ownKeys: () => [...kept.keys()],
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
  }
  vi.stubGlobal('localStorage', new Proxy(methods, itsKeys))
  onTestFinished(() => void vi.unstubAllGlobals())
  return kept
}

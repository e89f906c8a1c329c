import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import { appendOnce } from '../packages/core/src/runtime/append-once.ts'
import { type Claim, type SessionStorage, StorageError } from '../packages/core/src/storage/port.ts'
import { createNatsStorage } from '../packages/nats/src/create-storage.ts'
import { createDevicesJudge } from './devices/devices-judge.ts'
import { type Client, createNetwork } from './devices/network.ts'
import { run } from './devices/run.ts'
import type { BrokenRule } from './judge.ts'
import { type Injections, noteInjection } from './world/injections.ts'
import { createRandom, type Random } from './world/random.ts'
import { createClock, createTimeline, type Scope } from './world/timeline.ts'

/** The result of some devices that share a session at one server. */
export interface PlayedDevices {
  readonly log: readonly DurableEvent[]
  readonly broken: readonly BrokenRule[]
  readonly steps: number
  readonly injections: Injections
}

const deviceCount = 3
/** What each device does before it comes to rest. */
const deeds = 14
const maxSteps = 20_000
/** Milliseconds after which a message of a device has reached the others. */
const tellMs = 500
/** Milliseconds that are longer than any cut. */
const longMs = 15_000
const world: Scope = { gone: false }

/**
 * Plays devices that claim one session, append to it and follow it, over a server that answers late, connections that are
 * cut and devices that go away. The seed decides all of it.
 */
export async function playDevices(seed: number): Promise<PlayedDevices> {
  const random = createRandom(seed)
  const timeline = createTimeline(random)
  const injections: Injections = new Map()
  const noteFault = (fault: string) => noteInjection(injections, fault, 'device')
  const network = createNetwork({ timeline, random, noteFault })
  const judge = createDevicesJudge()
  const pause = (ms: number) =>
    new Promise<void>((resolve) => void timeline.after(ms, resolve, world))
  let ids = 0

  function open(name: string): Device {
    const scope = { gone: false }
    const client = network.connect()
    const storage = createNatsStorage({
      connect: async () => client.connection,
      ...{ name: 'sim', replicas: 1, clock: createClock(timeline, scope) },
      newId: () => {
        ids += 1
        return `id${ids}`
      },
    })
    return { name, scope, client, storage, random, pause, judge, again: () => open(`${name}'`) }
  }

  const devices = Array.from({ length: deviceCount }, (_, index) => open(`d${index}`))
  const watcher = open('watcher')
  watcher.storage.follow('s', 0, judge.seen)
  let working = devices.length
  for (const device of devices) {
    work(device).then(
      () => (working -= 1),
      (error: unknown) => {
        working -= 1
        judge.broken('uncaught', String(error))
      },
    )
  }
  const steps = await run(timeline, () => working === 0 || judge.found().length > 0, maxSteps)
  if (working > 0 && judge.found().length === 0) judge.broken('I20', 'a device never comes to rest')
  // What is on its way arrives, and every device learns what it has missed.
  const end = timeline.now() + 30_000
  await run(timeline, () => timeline.now() > end, maxSteps)
  let log: readonly DurableEvent[] = []
  void readAll(open('reader').storage).then((events) => {
    log = events
  })
  await run(timeline, () => timeline.now() > end + 30_000, maxSteps)
  judge.end(log)
  return { log, broken: judge.found(), steps, injections }
}

/** Reads everything, and tries again after a failure: two late answers in a row make a reading fail. */
async function readAll(storage: SessionStorage): Promise<readonly DurableEvent[]> {
  try {
    return await storage.read('s')
  } catch {
    return readAll(storage)
  }
}

interface Device {
  readonly name: string
  readonly scope: Scope
  readonly client: Client
  readonly storage: SessionStorage
  readonly random: Random
  readonly pause: (ms: number) => Promise<void>
  readonly judge: DevicesJudge
  /** The page is loaded again. */
  readonly again: () => Device
}

/** A claim, and how far its holder believes the log to be. */
interface Own {
  readonly claim: Claim
  head: number
}

async function work(first: Device): Promise<void> {
  let device = first
  let own: Own | null = null
  for (let deed = 0; deed < deeds; deed += 1) {
    const { client, random, pause, judge } = device
    await pause(random() * 300)
    const drawn = random()
    if (drawn < 0.12) client.cut(random() < 0.1 ? 12_000 : random() * 2000)
    else if (own && drawn < 0.2) {
      judge.released(own.claim.epoch)
      own.claim.release()
      own = null
    } else if (own && drawn < 0.26) {
      leave(device, own)
      own = null
      device = device.again()
    } else if (own) own = await append(device, own)
    else own = await claim(device)
  }
}

/** The page goes away in the middle of an append. */
function leave(
  { storage, client, scope, judge, name }: Device,
  { claim: { epoch }, head }: Own,
): void {
  const events = [0, 1].map((index) => judge.event({ name, epoch }, head + index))
  const ignored = () => {}
  storage.append('s', { head, epoch }, events.slice(0, 1)).catch(ignored)
  storage.append('s', { head, epoch, isLast: true }, events).catch(ignored)
  judge.released(epoch)
  client.leave()
  scope.gone = true
}

async function claim({ storage, random, judge, client, pause }: Device): Promise<Own | null> {
  const mode = random() < 0.6 ? 'if-free' : 'take'
  const asked = judge.asks(mode, client)
  try {
    const made = await storage.claim('s', mode)
    if (!made) return null
    asked.granted(made)
    void pause(tellMs).then(() => judge.heard(made.epoch))
    const events = await storage.read('s')
    return { claim: made, head: events.length }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    asked.failed()
    return null
  } finally {
    asked.ended()
  }
}

/** Returns what is owned after that: nothing, if the append failed. */
async function append(
  { storage, random, judge, name, client, pause }: Device,
  own: Own,
): Promise<Own | null> {
  const { claim: made, head } = own
  const { epoch } = made
  const count = 1 + Math.floor(random() * 3)
  const events = Array.from({ length: count }, (_, index) =>
    judge.event({ name, epoch }, head + index),
  )
  const latest = judge.latestEpoch()
  try {
    const position = { head, epoch }
    await appendOnce({ storage, sessionId: 's', position }, events)
    judge.acknowledged(events)
    if (latest > epoch) judge.broken('D1', `${name} wrote under ${epoch} after the claim ${latest}`)
    own.head += count
    return own
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    if (error.kind === 'not_owner') {
      judge.refused(epoch)
      // After `longMs` the owner must know it, unless its connection was cut.
      const cuts = client.cuts()
      await pause(longMs)
      if (!made.lost.aborted && client.cuts() === cuts && !client.isCut()) {
        judge.broken('K2', `the owner ${epoch} never learns that it was replaced`)
      }
    }
    if (error.kind === 'conflict') judge.conflicted(epoch)
    made.release()
    judge.released(epoch)
    return null
  }
}

type DevicesJudge = ReturnType<typeof createDevicesJudge>

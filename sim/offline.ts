import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import type { SessionStorage } from '../packages/core/src/storage/port.ts'
import { createNatsStorage } from '../packages/nats/src/create-storage.ts'
import { createAlsoOffline } from '../packages/nats/src/offline/also-offline.ts'
import { createNetwork, type Network } from './devices/network.ts'
import { run } from './devices/run.ts'
import type { BrokenRule } from './judge.ts'
import { createDisk, type Disk } from './offline/disk.ts'
import { createOfflineJudge, type OfflineJudge } from './offline/offline-judge.ts'
import { comeToRest, type Page, patiently, work } from './offline/page.ts'
import { type Injections, noteInjection } from './world/injections.ts'
import { createRandom, type Random } from './world/random.ts'
import { createClock, createTimeline, type Scope, type Timeline } from './world/timeline.ts'

/** The result of devices that work without their server at times. */
export interface PlayedOffline {
  readonly log: readonly DurableEvent[]
  /** How many sessions were kept apart. */
  readonly kept: number
  readonly broken: readonly BrokenRule[]
  readonly steps: number
  readonly injections: Injections
}

interface World {
  readonly network: Network
  readonly timeline: Timeline
  readonly random: Random
  readonly judge: OfflineJudge
  readonly newId: () => string
}

/** How many pages each device has. */
const pages = [2, 1]
/** The most steps of a session: one that takes more hangs. */
const maxSteps = 60_000
const world: Scope = { gone: false }

/**
 * Plays two devices, one with two pages, that write one session over a server that they cannot reach for long, go on
 * without it, are loaded again and come back. The seed decides all of it.
 */
export async function playOffline(seed: number): Promise<PlayedOffline> {
  const random = createRandom(seed)
  const timeline = createTimeline(random)
  const injections: Injections = new Map()
  const noteFault = (fault: string) => noteInjection(injections, fault, 'offline')
  const network = createNetwork({ timeline, random, noteFault })
  const judge = createOfflineJudge()
  let ids = 0
  const newId = () => {
    ids += 1
    return `${String(ids).padStart(8, '0')}`
  }
  const given: World = { network, timeline, random, judge, newId }
  const disks = pages.map(() => createDisk(timeline, random))
  const opened = disks.flatMap((disk, device) =>
    Array.from({ length: pages[device] ?? 0 }, (_, index) =>
      open(given, disk, `d${device}${index}`),
    ),
  )
  const steps = await runUntilDone(timeline, judge, () => Promise.all(opened.map(work)))
  const others = disks.map((disk, device) => open(given, disk, `rest${device}`))
  await runUntilDone(timeline, judge, async () => {
    for (const page of others) await comeToRest(page)
    const { storage } = remoteOf(given, { gone: false })
    await judge.end(patient(storage), disks)
  })
  return { ...judge.seen(), broken: judge.found(), steps, injections }
}

async function runUntilDone(
  timeline: Timeline,
  judge: OfflineJudge,
  work: () => Promise<unknown>,
): Promise<number> {
  let isDone = false
  work()
    .catch((error: unknown) => judge.broken('uncaught', String(error)))
    .finally(() => {
      isDone = true
    })
  const steps = await run(timeline, () => isDone || judge.found().length > 0, maxSteps)
  if (!isDone && judge.found().length === 0) judge.broken('I20', 'a page never comes to rest')
  return steps
}

function remoteOf({ network, timeline, newId }: World, scope: Scope) {
  const client = network.connect()
  const storage = createNatsStorage({
    connect: async () => client.connection,
    ...{ name: 'sim', replicas: 1, clock: createClock(timeline, scope), newId },
  })
  return { client, storage }
}

function patient({ list, read }: SessionStorage): Pick<SessionStorage, 'list' | 'read'> {
  return {
    list: (...asked) => patiently(() => list(...asked)),
    read: (...asked) => patiently(() => read(...asked)),
  }
}

function open(given: World, disk: Disk, name: string): Page {
  const { timeline, random, judge, newId } = given
  const scope = { gone: false }
  const { client, storage: remote } = remoteOf(given, scope)
  const clock = createClock(timeline, scope)
  const storage = createAlsoOffline({ remote, local: disk.open(scope), clock, newId })
  const pause = (ms: number) =>
    new Promise<void>((resolve) => void timeline.after(ms, resolve, world))
  const again = () => open(given, disk, `${name}'`)
  return { name, storage, scope, disk, client, random, pause, judge, again }
}

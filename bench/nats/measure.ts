import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import { startNats, startNatsCluster } from '../../fleet/start-nats.mjs'
import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import { nats } from '../../packages/nats/src/index.ts'

// What the storage at a NATS server costs, in ratios to the bare server: an append to a conditional publish of the same
// bytes, and the delay of a follower to that of publish and subscribe. Also what a decision about capacity needs.

const batchSizes = [1, 10, 100]
/** Short ones, so that other load of the machine hits both sides; the first ones warm up. */
const appendRounds = 200
const warmUp = 120
const appends = 20
const rounds = 9
const messages = 400

const sessions = 50
const appendsOfEach = 40

const server = await startNats()
try {
  await measure(server.url)
} finally {
  await server.stop()
}
const cluster = await startNatsCluster()
try {
  await measureSessions(
    'three servers',
    cluster.map(({ url }) => url),
    3,
  )
} finally {
  await Promise.all(cluster.map(({ stop }) => stop()))
}

/** Prints ratios. Both sides of one are measured in turn, so that other load hits both. */
async function measure(servers: string): Promise<void> {
  const connection = await connect({ servers })
  const other = await connect({ servers })
  for (const size of batchSizes) await measureAppends(connection, size)
  const bare: number[] = []
  const words: number[] = []
  const stored: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await hearAll(connection, other))
    words.push(await hearWords(connection, other, `words${round}`))
    stored.push(await followAll(connection, other, `follow${round}`))
  }
  const [least, live, kept] = [Math.min(...bare), Math.min(...words), Math.min(...stored)]
  console.log(
    `follower: what streams comes after ${(live / least).toFixed(2)} × the delay of publish and subscribe (${live.toFixed(2)} ms), what is stored after ${(kept / least).toFixed(2)} × (${kept.toFixed(2)} ms; bare ${least.toFixed(2)} ms)`,
  )
  await measureSpace(connection)
  await connection.close()
  await other.close()
  await measureSessions('one server', [servers], 1)
}

/** Prints the throughput of appends, one after the other, and that of the bare server: medians of many rounds. */
async function measureAppends(connection: NatsConnection, size: number): Promise<void> {
  const publish = await publisher(connection, `bare${size}`, size)
  const append = await appender(connection, `ours${size}`, size)
  const bare: number[] = []
  const ours: number[] = []
  for (let round = -warmUp; round < appendRounds; round += 1) {
    const [without, own] = [await timeOf(publish), await timeOf(append)]
    if (round < 0) continue
    bare.push(without)
    ours.push(own)
  }
  const [least, own] = [median(bare), median(ours)]
  console.log(
    `append, ${size} events: ${(least / own).toFixed(2)} × the throughput of a conditional publish (${((size * 1000) / own).toFixed(0)} events/s, ${own.toFixed(3)} ms each; bare ${least.toFixed(3)} ms)`,
  )
}

/** Milliseconds of one of the appends of a round. */
async function timeOf(once: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  for (let index = 0; index < appends; index += 1) await once()
  return (performance.now() - startedAt) / appends
}

/** Prints what many sessions store together, each waiting for its own answers. */
async function measureSessions(what: string, servers: string[], replicas: number): Promise<void> {
  const connection = await connect({ servers })
  const storage = nats({ connect: async () => connection, name: 'many', replicas })
  const ids = Array.from({ length: sessions }, (_, index) => `s${index}`)
  await Promise.all(ids.map((id) => storage.append(id, { head: 0, epoch: 0 }, eventsFrom(0, 1))))
  const startedAt = performance.now()
  await Promise.all(
    ids.map(async (id) => {
      for (let head = 1; head <= appendsOfEach; head += 1) {
        await storage.append(id, { head, epoch: 0 }, eventsFrom(head, 1))
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  console.log(
    `${what}: ${sessions} sessions store ${((sessions * appendsOfEach) / seconds).toFixed(0)} steps a second together`,
  )
  await connection.close()
}

function eventsFrom(seq: number, count: number): readonly DurableEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{
      v: 1,
      seq: seq + index,
      ts: 1_800_000_000_000,
      sessionId: 'bench',
      runId: 'run_1',
      turn: 1,
    },
    ...{ type: 'warning', code: 'bench', message: 'x'.repeat(300) },
  }))
}

/** A conditional publish of the same events without a name or mark, behind the one before. */
async function publisher(connection: NatsConnection, name: string, size: number) {
  const stream = JSON.stringify({ name, subjects: [`${name}.log`], discard: 'new' })
  await connection.request(`$JS.API.STREAM.CREATE.${name}`, stream)
  let [seq, head] = [0, 0]
  return async () => {
    const fields = headers()
    fields.set('Nats-Expected-Last-Subject-Sequence', String(seq))
    const data = JSON.stringify(eventsFrom(head, size))
    const answer = await connection.request(`${name}.log`, data, { timeout: 5000, headers: fields })
    seq = answer.json<{ seq: number }>().seq
    head += size
  }
}

async function appender(connection: NatsConnection, name: string, size: number) {
  const storage = nats({ connect: async () => connection, name })
  const { epoch = 0 } = (await storage.claim('bench', 'if-free')) ?? {}
  let head = 0
  return async () => {
    await storage.append('bench', { head, epoch }, eventsFrom(head, size))
    head += size
  }
}

/** Milliseconds from a publish to its arrival at another connection, the median. */
async function hearAll(connection: NatsConnection, other: NatsConnection): Promise<number> {
  let arrived = () => {}
  const subscription = other.subscribe('bench.bare', { callback: () => arrived() })
  await other.flush()
  const delays: number[] = []
  for (let index = 0; index < messages; index += 1) {
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const startedAt = performance.now()
    connection.publish('bench.bare', JSON.stringify(eventsFrom(index, 1)))
    await arrival
    delays.push(performance.now() - startedAt)
  }
  subscription.unsubscribe()
  return median(delays)
}

/** The same from what an agent posts while an answer streams. */
async function hearWords(
  connection: NatsConnection,
  other: NatsConnection,
  name: string,
): Promise<number> {
  const storages = [connection, other].map((one) => nats({ connect: async () => one, name }))
  let arrived = () => {}
  const [sender, listener] = storages.map((one) => one.connect('bench', () => arrived()))
  await Promise.all(storages.map((one) => one.list()))
  const delays: number[] = []
  for (let index = 0; index < messages; index += 1) {
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const startedAt = performance.now()
    sender?.post({ events: JSON.stringify(eventsFrom(index, 1)) })
    await arrival
    delays.push(performance.now() - startedAt)
  }
  for (const one of [sender, listener]) one?.close()
  return median(delays)
}

/** The same from an append to its arrival at a follower. */
async function followAll(
  connection: NatsConnection,
  other: NatsConnection,
  name: string,
): Promise<number> {
  const [own, follower] = [connection, other].map((one) => nats({ connect: async () => one, name }))
  let arrived = () => {}
  const stop = follower?.follow('bench', 0, () => arrived())
  const delays: number[] = []
  for (let index = 0; index < messages; index += 1) {
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const startedAt = performance.now()
    const appended = own?.append('bench', { head: index, epoch: 0 }, eventsFrom(index, 1))
    await arrival
    delays.push(performance.now() - startedAt)
    await appended
  }
  stop?.()
  return median(delays)
}

/** What an event takes at the server beyond its own text, and what a session takes that holds one. */
async function measureSpace(connection: NatsConnection): Promise<void> {
  const storage = nats({ connect: async () => connection, name: 'space' })
  const bytes = async () => {
    const answer = await connection.request('$JS.API.STREAM.INFO.space', '')
    return answer.json<{ state: { bytes: number } }>().state.bytes
  }
  const sessions = 100
  for (let index = 0; index < sessions; index += 1) {
    await storage.append(`s${index}`, { head: 0, epoch: 0 }, eventsFrom(0, 1))
  }
  const text = JSON.stringify(eventsFrom(0, 1)).length
  const one = (await bytes()) / sessions
  console.log(`space: a message of one event of ${text} bytes takes ${one.toFixed(0)} bytes`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

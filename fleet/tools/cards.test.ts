import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type Clock, platformClock } from '../../packages/core/src/host.ts'
import type { Tool, ToolCallView } from '../../packages/core/src/index.ts'
import { type FakeClock, fakeClock } from '../../packages/core/src/testing.ts'
import { misbehave } from '../../packages/core/src/tools/fixtures/tools.fixtures.ts'
import { leaveTrace } from '../../packages/fleet/src/fixtures/deeds.fixtures.ts'
import { inFleet } from '../../packages/fleet/src/index.ts'
import { startNats } from '../start-nats.mjs'
import { askForCalls, partialOf } from './ask-agent.ts'
import { buildFleet } from './fleet-process.ts'

const fleets = await buildFleet()
/** A machine with other work takes its time. */
const patienceMs = 60_000
// Every message of more than a few pages takes several of the server's.
const server = await startNats({ jetStream: false, config: 'max_payload: 16KB' })
afterAll(server.stop)
const connection = await connect({ servers: server.url })
afterAll(() => connection.close())

test('[F1] [F2] a card shows where its call runs, its progress, its partial result, its log and its files', async () => {
  const { host, start, file, traces } = fleetOf('all')
  await start({ name: 'gpu-1' })
  const { agent, ended, shown } = askForCalls({ host }, [{ file, how: 'report all' }])

  const running = await shown(({ partial }) => partial !== undefined)
  const [card] = await ended()

  expect(running.progress).toEqual({ message: 'half of it', value: 1, total: 2 })
  expect(partialOf(running)).toBe('one of two')
  expect(card).toMatchObject({ status: 'succeeded', isError: false, attempt: 1 })
  expect(card?.logs.lines.map(({ text }) => text)).toEqual([
    'Runs in the process gpu-1.',
    'written',
  ])
  const [artifact] = card?.result?.artifacts ?? []
  const bytes = await (await agent.getArtifact(artifact?.artifactId ?? ''))?.arrayBuffer()
  expect(Buffer.from(bytes ?? new ArrayBuffer()).equals(Buffer.alloc(3_000_000, 7))).toBe(true)
  expect(traces()).toHaveLength(1)
})

test('[F1] Stop ends code that listens, and code that does not with its thread', async () => {
  const { host, start } = fleetOf('stop', platformClock, [misbehave])
  await start({ script: 'tools', calls: 1 })
  for (const [how, end, abortGraceMs] of [
    ['wait for the signal', 'cooperative', 60_000],
    ['loop for ever', 'terminated', 50],
  ] as const) {
    const { agent, ended, shown } = askForCalls({ host, abortGraceMs }, [{ how }])
    const { toolCallId } = await shown(({ partial }) => partial !== undefined)
    agent.cancelTool(toolCallId)
    const [card] = await ended()
    expect(card).toMatchObject({ status: 'cancelled', how: end })
  }

  // The process takes one call at a time: the loop is gone.
  const { ended } = askForCalls({ host }, [{ how: 'return bytes' }])
  const [card] = await ended()
  expect(card).toMatchObject({ status: 'succeeded' })
})

test('[F4] a process that is killed in the middle of a call is a crashed call, not a hang', async () => {
  const { host, start, file, traces, passBeats } = fleetOf('killed', fakeClock())
  const { child, ended: exited } = await start({ name: 'gpu-1' })
  const { ended, shown } = askForCalls({ host }, [{ file, how: 'wait' }])
  await shown(({ partial }) => partial !== undefined)

  child.kill('SIGKILL')
  await exited
  passBeats()
  const [card] = await ended()

  expect(card).toMatchObject({ status: 'failed', errorKind: 'crashed', mayHaveRun: true })
  expect(textOf(card)).toContain('The process gpu-1 gave no sign of life for 180 s')
  expect(traces()).toHaveLength(1)
})

test('[F3] [F4] a process that is frozen is a crashed call, and changes nothing when it wakes', async () => {
  const { host, start, file, traces, passBeats } = fleetOf('frozen', fakeClock())
  const { child } = await start({ calls: 1 })
  const { agent, ended, shown } = askForCalls({ host }, [{ file, how: 'say more and more' }])
  const { toolCallId } = await shown(({ logs }) => logs.lines.length > 1)

  child.kill('SIGSTOP')
  passBeats()
  const [card] = await ended()
  expect(card).toMatchObject({ status: 'failed', errorKind: 'crashed', mayHaveRun: true })
  child.kill('SIGCONT')

  // It takes one call at a time: when it runs the next one, the thread of the first is gone.
  const next = askForCalls({ host: fleetOf('frozen').host }, [{ file, how: 'return' }])
  expect(await next.ended()).toMatchObject([{ status: 'succeeded' }])
  expect(agent.getState().toolCalls.get(toolCallId)).toBe(card)
  expect(traces()).toHaveLength(2)
})

test('[F3] a process that is frozen before it answers costs another request, and runs no call when it wakes', async () => {
  const { host, start, file, traces } = fleetOf('asleep')
  const { child } = await start({ name: 'asleep', calls: 1 })
  const busy = askForCalls({ host }, [{ file, how: 'wait' }])
  const { toolCallId } = await busy.shown(({ partial }) => partial !== undefined)
  child.kill('SIGSTOP')
  const second = fleetOf('asleep', fakeClock())
  const { ended } = askForCalls({ host: second.host }, [{ file, how: 'return' }])
  // It is the only one that the request can reach. The next request reaches the one that has room.
  await expect.poll(second.requests, { timeout: 20_000 }).toBe(1)
  await start({ name: 'awake' })
  second.passBeat()

  const [card] = await ended()
  child.kill('SIGCONT')
  busy.agent.cancelTool(toolCallId)

  expect(card).toMatchObject({ status: 'succeeded' })
  expect(card?.logs.lines.map(({ text }) => text)).toEqual(['Runs in the process awake.'])
  expect(await busy.ended()).toMatchObject([{ status: 'cancelled', how: 'cooperative' }])
  expect(traces()).toHaveLength(2)
})

test('[F4] code that ends its process ends its call and no other', async () => {
  const { host, start, file } = fleetOf('exit')
  await start({ calls: 2 })
  const { ended } = askForCalls({ host }, [
    { file, how: 'exit' },
    { file, how: 'return' },
  ])

  const [first, second] = await ended()

  expect(first).toMatchObject({ errorKind: 'crashed' })
  expect(textOf(first)).toContain('exit code 3')
  expect(second).toMatchObject({ status: 'succeeded' })
})

test('[F4] a page that is gone ends its calls', async () => {
  const { host, start, file, traces, options } = fleetOf('gone')
  await start({ calls: 1 })
  const own = await connect({ servers: server.url })
  const leaving = inFleet([leaveTrace], own, { ...options, heartbeatMs: 200 })
  const { shown } = askForCalls({ host: leaving }, [{ file, how: 'say more and more' }])
  await shown(({ partial }) => partial !== undefined)

  await own.close()

  // It takes one call at a time.
  const next = askForCalls({ host }, [{ file, how: 'return' }])
  expect(await next.ended()).toMatchObject([{ status: 'succeeded' }])
  expect(traces()).toHaveLength(2)
})

test('[F4] a page that did not wait for its thread leaves none behind', async () => {
  const { host, start, file } = fleetOf('left')
  await start({ calls: 1 })
  const request = { version: 1, callId: 'a'.repeat(20), heartbeatMs }
  connection.publish('offthread.tools.left.open', JSON.stringify(request), { reply: '_INBOX.left' })

  // It takes one call at a time, and will not miss a sign of life.
  const { ended } = askForCalls({ host }, [{ file, how: 'return' }])
  expect(await ended()).toMatchObject([{ status: 'succeeded' }])
})

test(
  '[F3] [F4] a call outlives a server that is killed and started again: what was lost is sent again',
  async () => {
    const restarted = await startNats({ jetStream: false })
    onTestFinished(restarted.stop)
    const own = await connect({ servers: restarted.url, reconnectTimeWait: 50 })
    onTestFinished(() => own.close())
    const { file, traces } = fleetOf('restarted')
    await fleets.start({ nats: restarted.url, script: 'deeds', fleet: 'restarted' })
    // The page misses no sign of life, as its clock stands still.
    const options = { fleet: 'restarted', heartbeatMs: 1000 }
    const host = inFleet([leaveTrace], own, { ...options, clock: fakeClock() })
    const { agent, ended, shown } = askForCalls({ host }, [{ file, how: 'wait' }])
    const { toolCallId } = await shown(({ partial }) => partial !== undefined)

    await restarted.kill()
    // No listener gets this.
    agent.cancelTool(toolCallId)
    await restarted.start()

    expect(await ended()).toMatchObject([{ status: 'cancelled', how: 'cooperative' }])
    expect(traces()).toHaveLength(1)
    // The process has joined again.
    await inFleet([leaveTrace], own, options).check()
  },
  patienceMs,
)

test('[F5] a call waits for a process that has room', async () => {
  const { host, start, file, traces } = fleetOf('full')
  await start({ calls: 1 })
  const { ended } = askForCalls(
    { host },
    Array.from({ length: 4 }, () => ({ file, how: 'return' })),
  )

  expect((await ended()).map(({ status }) => status)).toEqual(Array(4).fill('succeeded'))
  expect(traces()).toHaveLength(4)
})

test('[F6] what is too large is a failed call that says the limit and how much there was', async () => {
  const { host, start, file } = fleetOf('large')
  await start()
  const { ended } = askForCalls({ host }, [{ file, how: 'return 40 MB' }])

  const [card] = await ended()

  expect(card).toMatchObject({ status: 'failed', errorKind: 'invalid_result' })
  expect(textOf(card)).toContain('It has 40.0 MB with its files')
  expect(textOf(card)).toContain('at most 32.0 MB')
})

test('[F11] code that posts without end, and waits for nothing, has crashed', async () => {
  const { host, start, file } = fleetOf('fast')
  await start()
  const { ended } = askForCalls({ host }, [{ file, how: 'post 3 MB without end' }])

  const [card] = await ended()

  expect(card).toMatchObject({ status: 'failed', errorKind: 'crashed' })
  // Whichever comes first: the page does not take it in time, or has enough of it.
  expect(textOf(card)).toMatch(
    /sent more than 64.0 MB that the page has not|more than the page can take/,
  )
})

function textOf(card: ToolCallView | undefined): string {
  return (card?.result?.content ?? []).map((part) => ('text' in part ? part.text : '')).join('')
}

interface Started {
  readonly script?: 'behave' | 'tools' | 'deeds'
  readonly name?: string
  readonly calls?: number
}

const heartbeatMs = 60_000

/** A fleet of its own, whose signs of life are so rare that none is missed, and a file for traces. */
function fleetOf(
  fleet: string,
  clock: Clock = platformClock,
  tools: readonly Tool[] = [leaveTrace],
) {
  const folder = mkdtempSync(join(tmpdir(), 'offthread-traces-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'traces')
  const options = { fleet, heartbeatMs, bootTimeoutMs: 10 * heartbeatMs, clock }
  let requests = 0
  connection.subscribe(`offthread.tools.${fleet}.open.full`, {
    callback: () => {
      requests += 1
    },
  })
  return {
    file,
    options,
    host: inFleet(tools, connection, options),
    start: ({ script = 'deeds', ...given }: Started = {}) =>
      fleets.start({ nats: server.url, script, fleet, ...given }),
    traces: () => readFileSync(file, 'utf8').trim().split('\n'),
    /** So many requests went to processes that may have no room. */
    requests: () => requests,
    /** An answer is missing for so long that there is another request. */
    passBeat: () => pass(clock, heartbeatMs + 50),
    /** Signs of life are missing for as long as they may. */
    passBeats: () => pass(clock, 3 * heartbeatMs),
  }
}

function pass(clock: Clock | FakeClock, ms: number): void {
  if ('advance' in clock) clock.advance(ms)
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { leaveTrace } from '../../packages/fleet/src/fixtures/deeds.fixtures.ts'
import { inFleet } from '../../packages/fleet/src/index.ts'
import { startNats } from '../start-nats.mjs'
import { askForCalls } from './ask-agent.ts'
import { buildFleet } from './fleet-process.ts'

const fleets = await buildFleet()
/** A machine with other work takes its time. */
const patienceMs = 120_000

test(
  '[F3] 1,000 calls over four processes: each runs once, and all end',
  async () => {
    const server = await startNats({ jetStream: false })
    onTestFinished(server.stop)
    const connection = await connect({ servers: server.url })
    onTestFinished(() => connection.close())
    const folder = mkdtempSync(join(tmpdir(), 'offthread-traces-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(
      names.map((name) => fleets.start({ nats: server.url, script: 'deeds', name, calls: 1 })),
    )
    const file = join(folder, 'traces')
    // As many as run at a time wait for each other, so that every process has its share.
    const inputs = Array.from({ length: 1000 }, (_, i) => ({ file, how: i < 4 ? 'meet 4' : '' }))

    const host = inFleet([leaveTrace], connection, { keep: 'reuse', heartbeatMs: 10_000 })
    const { ended } = askForCalls({ host, maxConcurrency: 4 }, inputs)
    const cards = await ended()

    const traces = readFileSync(file, 'utf8').trim().split('\n')
    expect(traces.toSorted()).toEqual(cards.map(({ toolCallId }) => toolCallId).toSorted())
    expect(new Set(traces).size).toBe(1000)
    expect(cards.map(({ status }) => status)).toEqual(Array(1000).fill('succeeded'))
    const places = cards.map(({ logs }) => logs.lines[0]?.text)
    expect([...new Set(places)].toSorted()).toEqual(
      names.map((name) => `Runs in the process ${name}.`),
    )
  },
  patienceMs,
)

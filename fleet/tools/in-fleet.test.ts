import { connect } from '@nats-io/transport-node'
import { afterAll } from 'vitest'
import type { LogLine } from '../../packages/core/src/kernel/tool-outcome.ts'
import { behaveAt } from '../../packages/core/src/tools/fixtures/behave.fixtures.ts'
import { hostContract } from '../../packages/core/src/tools/host.contract.ts'
import type { Execution } from '../../packages/core/src/tools/host.ts'
import { inFleet } from '../../packages/fleet/src/index.ts'
import { startNats } from '../start-nats.mjs'
import { buildFleet } from './fleet-process.ts'

const fleet = await buildFleet()
const server = await startNats({ jetStream: false })
afterAll(server.stop)
const connection = await connect({ servers: server.url })
afterAll(() => connection.close())

await fleet.start(
  { nats: server.url, script: 'behave', fleet: 'behave', calls: 64 },
  { cleanUp: afterAll },
)

hostContract('inFleet, in a real process', (clock) => {
  const host = inFleet([behaveAt('worker')], connection, {
    ...{ fleet: 'behave', heartbeatMs: 60_000, clock },
  })
  return { ...host, open: (...asked) => withoutPlace(host.open(...asked)) }
})

/** An execution that does not say where it runs, as the contract has it. */
function withoutPlace(execution: Execution): Execution {
  return {
    ...execution,
    run: (request, listener) =>
      execution.run(request, (notice) => {
        if (notice.type !== 'log' || !notice.lines.some(isPlace)) listener(notice)
      }),
  }
}

function isPlace({ text }: LogLine): boolean {
  return text.startsWith('Runs in the process ')
}

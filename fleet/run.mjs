/** `npm run test:fleet`: what needs a nats-server, which is found or installed. */
import { run } from '../scripts/child.mjs'
import { requireNatsServer } from '../scripts/nats-server.mjs'
import { reportNoTests } from '../scripts/reports.mjs'

const server = await requireNatsServer()
if (server === undefined) {
  reportNoTests('fleet.json')
} else {
  const report = ['--reporter', 'default', '--reporter', 'json']
  const args = ['run', '--project', 'fleet', ...report, '--outputFile.json', '.reports/fleet.json']
  const vitest = ['node_modules/vitest/vitest.mjs', ...args, ...process.argv.slice(2)]
  process.exitCode = await run(process.execPath, vitest, { env: { NATS_SERVER: server } })
}

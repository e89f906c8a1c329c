import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetFailures } from '../../packages/core/src/model/http/breaker.ts'
import type { Protocol } from '../exchange.ts'
import { type FaultServer, startFaultServer } from '../fault-server.ts'
import { modelAt } from '../page/models.ts'
import { isWhole } from './effort.fixtures.ts'
import { expectSound } from './soup.fixtures.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

const first = Number(process.env['WIRE_SEED'] ?? 1)
const runs = isWhole ? 10_000 : 200

test.each<Protocol>(['anthropic', 'openai'])(
  '[M2] [M9] [M11] generated streams of %s are whole answers or typed failures',
  { timeout: 600_000 },
  async (protocol) => {
    console.log(`${protocol}: streams of the seeds from ${first}, ${runs} of them`)
    let failed = 0
    for (let seed = first; seed < first + runs; seed += 1) {
      forgetFailures()
      const model = modelAt(`${server.origin}/soup/open/soup-${seed}`, protocol)
      if ((await expectSound(model, protocol, seed)) !== 'none') failed += 1
    }
    // Some streams are whole and some are not, or the grammar is not worth its name.
    expect(failed / runs).toBeGreaterThan(0.1)
    expect(failed / runs).toBeLessThan(0.9)
  },
)

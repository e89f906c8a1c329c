import { expect, test } from 'vitest'
import { countPrimes, echo } from './fixtures/tools.fixtures.ts'
import { inWorkers } from './worker-host.ts'

const start = () =>
  new Worker(new URL('./fixtures/tools.fixtures.worker.ts', import.meta.url), { type: 'module' })

test('runs', async () => {
  const host = inWorkers([echo, countPrimes], start)
  const execution = host.open(countPrimes, { graceMs: 250 })
  await execution.ready
  const told: unknown[] = []
  const settlement = await execution.run(
    {
      executionId: 'e1',
      toolCallId: 'c1',
      toolName: 'count_primes',
      attempt: 1,
      input: { n: 20 },
      resources: {},
    },
    {
      running: () => told.push('running'),
      update: (u) => told.push(u),
      progress: (p) => told.push(p),
      log: (l) => told.push(l),
      custom: (n, d) => told.push([n, d]),
    },
  )
  expect(settlement).toEqual({
    kind: 'returned',
    result: { content: [{ type: 'text', text: '{"count":8}' }], structuredContent: { count: 8 } },
  })
  expect(told).toEqual(['running'])
  await host.check()
})

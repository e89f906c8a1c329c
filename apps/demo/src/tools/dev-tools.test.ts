import { expect, test } from 'vitest'
import { flaky, flood, huge, sleep } from './dev-tools.ts'
import { createTestContext } from './tools.fixtures.ts'

test('dev_sleep sleeps, and wakes up when it is stopped', async () => {
  expect(await sleep({ ms: 5 }, createTestContext().context)).toEqual({ slept: expect.any(Number) })
  const { context, stop } = createTestContext()
  const sleeping = sleep({ ms: 600_000 }, context)
  stop()
  await expect(sleeping).rejects.toMatchObject({ name: 'AbortError' })
})

test.each([0, 1, 2, 7])('dev_flaky fails %i times, neither more nor less often', (failures) => {
  const { context } = createTestContext()
  const tries = Array.from(
    { length: failures + 2 },
    (_, at) => () => flaky({ failures }, { ...context, attempt: at + 1 }),
  )
  for (const [at, attempt] of tries.slice(0, failures).entries())
    expect(attempt).toThrow(`This is failure ${at + 1} of ${failures}.`)
  for (const attempt of tries.slice(failures)) expect(attempt()).toEqual({ failed: failures })
})

test('dev_flood counts what it sent', async () => {
  const { context, updates, progress, logs } = createTestContext()
  const output = await flood({ seconds: 0.05 }, context)
  expect(updates.length).toBeGreaterThan(100)
  expect(output).toEqual({ sent: updates.length + progress.length + logs.length })
})

test('dev_huge is as large as it was asked to be', () => {
  expect(huge({ megabytes: 3 }, createTestContext().context)).toHaveLength(3_000_000)
})

import { expect, test } from 'vitest'
import type { DurableEvent } from '../kernel/events.ts'
import { iterateEvents } from './iterate-events.ts'

const warning = {
  ...({ v: 1, ts: 0, sessionId: 's', runId: null, turn: 0 } as const),
  ...({ type: 'warning', code: 'test', message: 'It happened.' } as const),
}

test('a long log is read in a time that grows with its length, not faster', async () => {
  const read = async (length: number): Promise<number> => {
    const log = Array.from({ length }, (_, seq): DurableEvent => ({ ...warning, seq }))
    const { signal } = new AbortController()
    const start = process.cpuUsage()
    let count = 0
    for await (const event of iterateEvents({
      opened: null,
      past: () => undefined,
      log,
      after: -1,
      subscribe: () => () => {},
      signal,
    })) {
      count += 1
      if (event.seq === length - 1) break
    }
    expect(count).toBe(length)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  // The first run compiles the code.
  await read(10_000)

  const [short, long] = [await read(10_000), await read(160_000)]

  // CPU time: linear cost would give 16, taking each event off the front of a list 256.
  expect(long / short).toBeLessThan(64)
})

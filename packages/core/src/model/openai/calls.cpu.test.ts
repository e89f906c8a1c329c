import { expect, test } from 'vitest'
import { read, summaryOf } from './ask.fixtures.ts'
import { callsChunk, chunk } from './fake.fixtures.ts'

test('calls are read in a time that grows with their length, however often the name comes', async () => {
  // Time on the processor: other programs do not count in it.
  const cpuTimeOf = async (length: number) => {
    const pieces = ['{"code":"', ...Array.from({ length }, () => `{${'x'.repeat(400)}}`), '"}']
    const events = pieces.map((piece) =>
      callsChunk({ index: 0, function: { name: 'clock', arguments: piece } }),
    )
    const start = process.cpuUsage()
    const chunks = await read([...events, chunk({}, 'tool_calls')])
    const { user, system } = process.cpuUsage(start)
    expect(summaryOf(chunks)).toEqual([`clock: ${pieces.join('')}`])
    return user + system
  }
  // The first run compiles the code.
  await cpuTimeOf(200)

  const [short, long] = [await cpuTimeOf(200), await cpuTimeOf(3200)]

  // 16 times as long if it is linear, 256 times if all of it is read each time.
  expect(long / short).toBeLessThan(64)
})

import { expect, onTestFinished, test, vi } from 'vitest'
import { yieldToPage } from './yield-to-page.ts'

test('[M8] work in small steps lets the page have its turn after each 10 ms of it', async () => {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const stretches: number[] = []
  let since = now

  for (let step = 0; step < 500; step += 1) {
    now += 1
    const turn = yieldToPage()
    if (!turn) continue
    await turn
    stretches.push(now - since)
    since = now
  }

  expect(stretches.length).toBeGreaterThanOrEqual(49)
  expect(Math.max(...stretches.slice(1))).toBe(10)
})

import { expect, test } from 'vitest'
import { limitConsole } from './limit-console.ts'

test('[W12] a flood of any method of the console reaches the platform as 200 lines in a second', () => {
  const { console, lines, pass } = limited()

  for (let n = 0; n < 5000; n++) {
    console.log('a', n)
    console.table([n])
  }
  expect(lines.length).toBeGreaterThan(150)
  expect(lines.length).toBeLessThanOrEqual(200)

  const before = lines.length
  pass(1000)
  console.log('later')
  expect(lines.slice(before)).toEqual(['later'])
})

test('[W12] long lines of the console count by their length, and one that is too long is left out', () => {
  const { console, lines } = limited()

  console.log('x'.repeat(100_000_000))
  console.log(...Array.from({ length: 50_000 }, () => 'x'.repeat(1000)))
  for (let n = 0; n < 100; n++) console.log('x'.repeat(100_000))

  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('').length).toBeLessThanOrEqual(1_000_000)
})

test('[W12] assertions that hold write nothing, and cost nothing', () => {
  const { console, lines } = limited()

  for (let n = 0; n < 5000; n++) console.assert(true, 'fine')
  console.log('said')
  console.assert(false, 'wrong')

  expect(lines).toEqual(['said', 'false,wrong'])
})

function limited() {
  const lines: string[] = []
  let time = 0
  const write = (...values: unknown[]) => void lines.push(values.join())
  const console = { log: write, table: write, assert: write }
  limitConsole(console, () => time)
  return {
    console,
    lines,
    pass: (ms: number) => {
      time += ms
    },
  }
}

import fc from 'fast-check'
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

/** What a console makes a text of, in every size. */
const text = fc
  .tuple(fc.constantFrom('', 'a', 'long '), fc.constantFrom(1, 500, 30_000, 2_000_000))
  .map(([unit, times]) => unit.repeat(times))
const written: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.integer(),
    fc.bigInt(),
    text.map((message) => new Error(message)),
    text.map((description) => Symbol(description)),
    text.map((content): unknown => Object(content)),
    text.map((description): unknown => Object(Symbol(description))),
    text.map((source) => new RegExp(source)),
    text.map((source) => Object.assign(() => {}, { toString: () => source })),
    text.map((name) => ({ [Symbol.toStringTag]: name })),
    text.map((content) => ({ content })),
    fc.constant({
      get stack() {
        throw new Error('No.')
      },
    }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .tuple(tie('value'), fc.constantFrom(10, 9000, 200_000))
      .map(([value, length]) => Array<unknown>(length).fill(value)),
  ),
})).value

test('[W12] a flood of any values reaches the platform as so many lines and characters in a second', () => {
  const flood = fc.record({
    method: fc.constantFrom('log' as const, 'table' as const),
    values: fc.array(written, { maxLength: 3 }),
    times: fc.constantFrom(1, 30, 400),
    pause: fc.constantFrom(0, 1, 1000),
  })
  fc.assert(
    fc.property(fc.array(flood, { minLength: 1, maxLength: 6 }), (floods) => {
      const said: unknown[][] = []
      const push = (...values: unknown[]) => void said.push(values)
      const console = { log: push, table: push }
      let time = 0
      limitConsole(console, () => time)
      for (const { method, values, times, pause } of floods) {
        for (let n = 0; n < times; n += 1) console[method](...values)
        time += pause
      }
      const seconds = 1 + Math.floor(time / 1000)

      expect(said.length).toBeLessThanOrEqual(200 * seconds)
      expect(said.reduce((sum, values) => sum + charsOf(values), 0)).toBeLessThanOrEqual(
        1_000_000 * seconds,
      )
    }),
    { numRuns: 200 },
  )
})

/** How long the text is that a console makes: of most objects only the class. */
function charsOf(value: unknown): number {
  if (Array.isArray(value))
    return value.reduce((sum: number, item: unknown) => sum + charsOf(item), 0)
  if (value instanceof Symbol) return String(value.valueOf()).length
  const isInFull = [Error, String, RegExp].some((kind) => value instanceof kind)
  return typeof value === 'object' && !isInFull
    ? Object.prototype.toString.call(value).length
    : String(value).length
}

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

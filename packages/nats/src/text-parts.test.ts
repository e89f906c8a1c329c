import { expect, test } from 'vitest'
import { createTextAssembly, textParts } from './text-parts.ts'

const texts = ['x'.repeat(5000), '"\\'.repeat(2000), '\u{1f600}é'.repeat(1500), '{}']

test.for(texts)(
  '[K10] a text comes in parts of at most so many bytes, and is whole again',
  (text) => {
    const parts = textParts('id', text, 1024)
    const assembly = createTextAssembly()

    const whole = parts.map((part) => assembly.add(part))

    for (const part of parts)
      expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(1024)
    expect(whole.slice(0, -1).every((one) => one === null)).toBe(true)
    expect(whole.at(-1)).toBe(text)
  },
)

test('[K13] parts that miss one, come twice or never end are no text, and are not kept for ever', () => {
  const assembly = createTextAssembly()
  const add = (id: string, index: number, text = 'x') => assembly.add({ id, index, count: 3, text })

  expect([add('a', 0), add('a', 2), add('a', 1)]).toEqual([null, null, null])
  expect([add('b', 0), add('b', 0), add('b', 1), add('b', 2)]).toEqual([null, null, null, null])
  expect([add('c', Number.NaN), add('c', -1), add('c', 1)]).toEqual([null, null, null])
  add('old', 0)
  for (let other = 0; other < 40; other += 1) add(`${other}`, 0)
  expect([add('old', 1), add('old', 2)]).toEqual([null, null])
  expect([add('39', 1, 'y'), add('39', 2, 'z')]).toEqual([null, 'xyz'])
  const large = 'x'.repeat(40 * 1024 * 1024)
  add('one', 0, large)
  add('two', 0, large)
  expect([add('one', 1), add('one', 2)]).toEqual([null, null])
  expect([add('two', 1), add('two', 2)?.length]).toEqual([null, large.length + 2])
})

test('[K13] parts of a text that never ends cost the same, however many there are', () => {
  const assembly = createTextAssembly()
  const add = (index: number, text: string) =>
    assembly.add({ id: 'a', index, count: 300_001, text })

  for (let index = 0; index < 300_000; index += 1) expect(add(index, 'x')).toBeNull()

  expect(add(300_000, 'x')?.length).toBe(300_001)
  expect(add(0, '')).toBeNull()
  expect(add(1, 'x')).toBeNull()
})

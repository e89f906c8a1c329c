import { expect, test } from 'vitest'
import { escapeOf, tilePixels, tileRows } from './mandelbrot.ts'

const whole = { columns: 1, rows: 1, column: 0, row: 0, x: -0.75, y: 0, width: 3, iterations: 300 }

test.for([
  [0, 0],
  [-1, 0],
  [-2, 0],
  [0.25, 0],
  [-0.1226, 0.7449],
] as const)('%d + %di is in the set', ([re, im]) => {
  expect(escapeOf(re, im, 5000)).toBeUndefined()
})

test.for([
  [0.5, 0],
  [1, 1],
  [-2.01, 0],
  [-0.75, 0.1],
] as const)('%d + %di is not', ([re, im]) => {
  expect(escapeOf(re, im, 5000)).toBeGreaterThan(0)
})

test('has the known area', () => {
  const inside = [...tileRows(whole)].reduce((sum, row) => sum + row.inside, 0)
  const area = (inside / tilePixels ** 2) * 9
  expect(area).toBeGreaterThan(1.48)
  expect(area).toBeLessThan(1.56)
})

test('a tile of a grid shows its part of the picture', () => {
  const part = [...tileRows({ ...whole, x: -1.5, y: 0.75, width: 1.5 })]
  const tile = [...tileRows({ ...whole, columns: 2, rows: 2 })]
  expect(tile.map(({ inside }) => inside)).toEqual(part.map(({ inside }) => inside))
  expect(tile[200]?.pixels).toEqual(part[200]?.pixels)
})

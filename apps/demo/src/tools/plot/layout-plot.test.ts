import { describe, expect, test } from 'vitest'
import { layoutPlot, type PlotInput } from './layout-plot.ts'
import { plotSchema } from './plot-definition.ts'
import { createScale } from './scale.ts'

const measure = (text: string) => text.length * 7

describe('bars', () => {
  test('stand on zero and are as high as their values', () => {
    const plot = lay({ kind: 'bar', labels: ['a', 'b', 'c', 'd'], values: [10, 5, -5, null] })
    const [a, b, c, d] = plot.marks
    expect(plot.marks.map(({ label, value }) => [label, value])).toEqual([
      ['a', 10],
      ['b', 5],
      ['c', -5],
      ['d', null],
    ])
    expect((a?.y ?? 0) + (a?.height ?? 0)).toBeCloseTo(plot.baseline, 0)
    expect(a?.height).toBeCloseTo(2 * (b?.height ?? 0), 0)
    expect(c?.y).toBe(plot.baseline)
    expect(c?.height).toBeCloseTo(b?.height ?? 0, 0)
    expect(d?.height).toBe(0)
    expect(plot.path).toBe('')
  })

  test('stay inside the area and do not touch', () => {
    const values = Array.from({ length: 200 }, (_, i) => Math.sin(i) * 1000)
    const { marks, area } = lay({ kind: 'bar', labels: values.map((_, i) => i), values })
    marks.forEach(({ x, y, width, height }, i) => {
      expect(x).toBeGreaterThanOrEqual(area.left)
      expect(x + width).toBeLessThanOrEqual(area.right)
      expect(y).toBeGreaterThanOrEqual(area.top)
      expect(y + height).toBeLessThanOrEqual(area.bottom + 0.11)
      expect(x + width).toBeLessThan(marks[i + 1]?.x ?? Number.POSITIVE_INFINITY)
    })
  })
})

describe('lines', () => {
  test('go through their points, with a gap where a value is missing', () => {
    const { path, marks } = lay({ kind: 'line', labels: [1, 2, 3, 4], values: [1, 2, null, 3] })
    const at = (i: number) => `${marks[i]?.x} ${marks[i]?.y}`
    expect(path).toBe(`M${at(0)}L${at(1)}M${at(3)}`)
    expect(marks[1]?.y).toBeLessThan(marks[0]?.y ?? 0)
  })

  test('need not begin at zero', () => {
    const { yTicks } = lay({ kind: 'line', labels: [1, 2], values: [1000, 1010] })
    expect(yTicks[0]?.text).toBe('1,000')
    expect(yTicks.at(-1)?.text).toBe('1,010')
  })
})

describe('names', () => {
  test('lie flat if there is room', () => {
    const { slanted, xTicks } = lay({ kind: 'bar', labels: ['North', 'South'], values: [1, 2] })
    expect(slanted).toBe(false)
    expect(xTicks.map(({ text }) => text)).toEqual(['North', 'South'])
  })

  test('are slanted, cut and thinned out if there is none', () => {
    const labels = Array.from({ length: 100 }, (_, i) => `A rather long name, number ${i}`)
    const { slanted, xTicks, area, height, marks } = lay({
      kind: 'bar',
      labels,
      values: labels.map((_, i) => i),
    })
    expect(slanted).toBe(true)
    expect(xTicks[0]?.text).toBe('A rather long nam…')
    expect(marks[0]?.label).toBe('A rather long name, number 0')
    xTicks.slice(1).forEach(({ at }, i) => {
      expect(at - (xTicks[i]?.at ?? 0)).toBeGreaterThanOrEqual(15.9)
    })
    expect(area.bottom).toBeLessThan(height - 18 * 7 * 0.7)
    expect(area.bottom - area.top).toBeGreaterThan(100)
  })

  test('of the axes get room', () => {
    const bare = lay({ kind: 'bar', labels: ['a'], values: [1] }).area
    const named = lay({ kind: 'bar', labels: ['a'], values: [1], xLabel: 'x', yLabel: 'y' }).area
    expect(named.left).toBeGreaterThan(bare.left)
    expect(named.bottom).toBeLessThan(bare.bottom)
  })
})

describe('scales', () => {
  test.each<[readonly number[], boolean, readonly string[]]>([
    [[0, 10], true, ['0', '2', '4', '6', '8', '10']],
    [[3, 97], true, ['0', '20', '40', '60', '80', '100']],
    [[-3, 4], true, ['-4', '-2', '0', '2', '4']],
    [[0.1, 0.32], false, ['0.10', '0.15', '0.20', '0.25', '0.30', '0.35']],
    [[0], true, ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']],
    [[5], false, ['2', '3', '4', '5', '6', '7', '8']],
    [[1_200_000, 3_000_000], true, ['0', '1M', '2M', '3M']],
    [[-5], true, ['-5', '-4', '-3', '-2', '-1', '0']],
  ])('%j, with zero: %s', (values, withZero, texts) => {
    const { low, high, ticks } = createScale(values, withZero)
    expect(ticks.map(({ text }) => text)).toEqual(texts)
    expect(low).toBeLessThanOrEqual(Math.min(...values))
    expect(high).toBeGreaterThanOrEqual(Math.max(...values))
  })

  test.each([1e-9, 1e-3, 1, 1e6, 1e12, 1e18, 1e300])(
    'of any size have few different marks: %d',
    (size) => {
      const { ticks } = createScale([size * 1.1, size * 7.7], true)
      expect(ticks.length).toBeGreaterThan(3)
      expect(ticks.length).toBeLessThan(9)
      expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length)
    },
  )
})

describe('refuses', () => {
  test.each<[Partial<PlotInput>, string]>([
    [{ labels: ['a'], values: [1, 2] }, 'There are 1 labels and 2 values.'],
    [{ labels: ['a', 'b'], values: [null, null] }, 'All values are null'],
  ])('%j', (input, message) => {
    expect(() => lay(input)).toThrow(
      expect.objectContaining({ kind: 'invalid_args', message: expect.stringContaining(message) }),
    )
  })
})

function lay(input: Partial<PlotInput>) {
  const plot = layoutPlot({ kind: 'bar', title: 'T', labels: [], values: [], ...input }, measure)
  expect(plotSchema.parse(plot)).toEqual(plot)
  return plot
}

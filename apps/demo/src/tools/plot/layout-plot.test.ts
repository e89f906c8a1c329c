import { describe, expect, test } from 'vitest'
import { layoutPlot } from './layout-plot.ts'
import { type PlotInput, plotSchema } from './plot-definition.ts'
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

describe('scatter plots', () => {
  test('stand at their numbers, in both directions, from where the numbers start', () => {
    const { marks, area, path, xTicks, slanted } = lay({
      kind: 'scatter',
      labels: [20, 10, 40, 20],
      values: [7, 5, 9, null],
    })
    const [a, b, c, d] = marks
    expect([a?.x, d?.x]).toEqual([d?.x, a?.x])
    expect((c?.x ?? 0) - (b?.x ?? 0)).toBeCloseTo(3 * ((a?.x ?? 0) - (b?.x ?? 0)), 0)
    expect((a?.y ?? 0) - (c?.y ?? 0)).toBeCloseTo((b?.y ?? 0) - (a?.y ?? 0), 0)
    expect(b?.x).toBe(area.left)
    expect(path).toBe('')
    expect(slanted).toBe(false)
    expect(xTicks.map(({ text }) => text)).toEqual(['10', '20', '30', '40'])
    expect(xTicks.at(-1)?.at).toBe(area.right)
  })

  test('thin out their numbers where there is no room, and end inside the picture', () => {
    const labels = [0, 5_000_000, 12_345_678]
    const narrow = layoutPlot({ kind: 'scatter', title: 'T', labels, values: [1, 2, 3] }, measure, {
      width: 150,
      height: 300,
    })
    narrow.xTicks.slice(1).forEach(({ at }, i) => {
      expect(at - (narrow.xTicks[i]?.at ?? 0)).toBeGreaterThan(3 * 7)
    })
    for (const { at, text } of narrow.xTicks)
      expect(at + measure(text) / 2).toBeLessThanOrEqual(narrow.width)
  })

  test('have years without a separator below them', () => {
    const { xTicks } = lay({ kind: 'scatter', labels: [1990, 2020], values: [1, 2] })
    expect(xTicks.map(({ text }) => text)).toContain('2000')
  })
})

describe('histograms', () => {
  test('have bins side by side, on zero, with an edge at either end of each', () => {
    const { marks, area, xTicks, baseline } = lay({
      kind: 'histogram',
      labels: [0, 0.1, 0.2],
      values: [4, 0, 8],
    })
    expect(xTicks.map(({ text }) => text)).toEqual(['0', '0.1', '0.2', '0.3'])
    expect([xTicks[0]?.at, xTicks.at(-1)?.at]).toEqual([area.left, area.right])
    marks.slice(1).forEach(({ x }, i) => {
      const before = marks[i]
      expect(x - (before?.x ?? 0) - (before?.width ?? 0)).toBeCloseTo(1, 0)
    })
    expect(marks.map(({ height }) => height > 0)).toEqual([true, false, true])
    expect((marks[0]?.y ?? 0) + (marks[0]?.height ?? 0)).toBeCloseTo(baseline, 0)
  })

  test('of one bin have two edges', () => {
    expect(lay({ kind: 'histogram', labels: [5], values: [3] }).xTicks).toHaveLength(2)
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
    [{ kind: 'scatter', labels: [1, 'b'], values: [1, 2] }, 'of a scatter plot'],
    [{ kind: 'scatter', labels: [1, ''], values: [1, 2] }, 'are numbers'],
    [{ kind: 'histogram', labels: [1, 2, 4], values: [1, 2, 3] }, 'empty bins'],
    [{ kind: 'histogram', labels: [2, 1], values: [1, 2] }, 'from the lowest'],
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

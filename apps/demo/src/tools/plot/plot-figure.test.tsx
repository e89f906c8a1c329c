import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { layoutPlot } from './layout-plot.ts'
import { PlotFigure } from './plot-figure.tsx'

afterEach(cleanup)

const measure = (text: string) => text.length * 7

test('is a picture with a name and a description, and a table with every value', () => {
  const input = { title: 'Zones', labels: ['US', 'RU', 'AQ'], values: [29, 26, null] }
  render(<PlotFigure plot={layoutPlot({ kind: 'bar', ...input }, measure)} />)

  const picture = screen.getByRole('img', { name: 'Zones' })
  const description = document.getElementById(picture.getAttribute('aria-describedby') ?? '')
  expect(description?.textContent).toBe(
    'A bar chart of 3 points. Lowest: RU, 26. Highest: US, 29. Without a value: 1.',
  )
  expect(picture.querySelectorAll('rect')).toHaveLength(2)
  const rows = within(screen.getByRole('table', { name: 'Zones', hidden: true })).getAllByRole(
    'row',
    {
      hidden: true,
    },
  )
  expect(rows.map((row) => row.textContent)).toEqual(['NameValue', 'US29', 'RU26', 'AQnone'])
})

test('draws a line of one point, and two plots on a page do not share ids', () => {
  const plot = layoutPlot({ kind: 'line', title: 'One', labels: ['a'], values: [1] }, measure)
  const { container } = render(
    <>
      <PlotFigure plot={plot} />
      <PlotFigure plot={plot} />
    </>,
  )
  const ids = [...container.querySelectorAll('[id]')].map(({ id }) => id)
  expect(new Set(ids).size).toBe(4)
  expect(container.querySelectorAll('circle')).toHaveLength(2)
})

test('a histogram names its bins, and a scatter plot both of its axes', () => {
  const bins = { title: 'Prices', labels: [0, 5, 10], values: [3, 0, 1] }
  const dots = { title: 'Cost', labels: [1, 1, 3], values: [5, 7, null], xLabel: 'price' }
  const { container } = render(
    <>
      <PlotFigure plot={layoutPlot({ kind: 'histogram', ...bins }, measure)} />
      <PlotFigure plot={layoutPlot({ kind: 'scatter', ...dots }, measure)} />
    </>,
  )

  expect([...container.querySelectorAll('desc')].map((one) => one.textContent)).toEqual([
    'A histogram of 3 bins. Lowest: 5 to 10, 0. Highest: 0 to 5, 3.',
    'A scatter plot of 3 points. price: 1 to 1. y: 5 to 7. Without a value: 1.',
  ])
  const titles = [...container.querySelectorAll('g > * > title')].map((one) => one.textContent)
  expect(titles).toEqual(['0 to 5: 3', '5 to 10: 0', 'from 10: 1', '1, 5', '1, 7'])
  expect(container.querySelectorAll('rect')).toHaveLength(3)
  expect(container.querySelectorAll('circle')).toHaveLength(2)
  expect(container.querySelectorAll('path')).toHaveLength(0)
})

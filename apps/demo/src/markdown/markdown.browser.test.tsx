import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import '../styles/all.css'
import { Markdown } from './markdown.tsx'

afterEach(cleanup)

test('a table that is seen as a whole has no button that saves it', () => {
  const buttons = () => screen.queryAllByRole('button', { name: 'Download table.csv' })
  const { rerender } = render(<Markdown text={tableOf(5)} streaming={false} />)
  expect(buttons()).toHaveLength(0)
  rerender(<Markdown text={tableOf(6)} streaming={false} />)
  expect(buttons()).toHaveLength(1)
})

test.each(['שלום, abc.', '- שלום, abc.', '# שלום, abc.', '|שלום, abc.|\n|-|'])(
  'a text that begins from right to left ends on the left: %j',
  (text) => {
    const { getByText } = render(<Markdown text={text} streaming={false} />)
    const { firstChild } = getByText('שלום, abc.')
    const leftOf = (at: number) => {
      const range = document.createRange()
      range.setStart(firstChild ?? document, at)
      range.setEnd(firstChild ?? document, at + 1)
      return range.getBoundingClientRect().left
    }

    expect(leftOf(9)).toBeLessThan(leftOf(6))
    expect(leftOf(6)).toBeLessThan(leftOf(0))
  },
)

test.each(['- שלום', '1. שלום'])('the mark of an item stands where its text begins: %j', (text) => {
  const { getByRole } = render(<Markdown text={text} streaming={false} />)

  expect(getComputedStyle(getByRole('list')).direction).toBe('rtl')
})

function tableOf(rows: number): string {
  return `| a |\n|---|\n${'| 1 |\n'.repeat(rows)}`
}

import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import '../styles/all.css'
import { Markdown } from './markdown.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('a table that is seen as a whole has no button that saves it', () => {
  const buttons = () => screen.queryAllByRole('button', { name: 'Download table.csv' })
  const { rerender } = render(<Markdown text={tableOf(5)} streaming={false} />)
  expect(buttons()).toHaveLength(0)
  rerender(<Markdown text={tableOf(6)} streaming={false} />)
  expect(buttons()).toHaveLength(1)
})

test('a table that is drawn in parts is saved as one', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  const text = `before\n\n${tableOf(1003)}\n| a |\n|---|\n| other |`
  const { container } = render(<Markdown text={text} streaming={false} />)
  await expect.poll(() => container.textContent).toContain('other')
  expect(screen.getAllByRole('table').length).toBeGreaterThan(3)

  // Finds what is visible.
  screen.getByRole('button', { name: 'Download table.csv' }).click()

  const [file] = saved.mock.lastCall ?? []
  expect(file instanceof Blob && (await file.text())).toBe(`a\r\n${'1\r\n'.repeat(1003)}`)
})

test.each([
  'A whole paragraph.\n\nOne that',
  '- an item\n- One that',
  'Some **bold** words. One that',
])('what is selected in a text stays selected while it grows: %j', (start) => {
  const { container, rerender } = render(<Markdown text={start} streaming />)
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT)
  let last = walker.currentNode
  while (walker.nextNode()) last = walker.currentNode
  const at = (last.nodeValue ?? '').indexOf('One')
  getSelection()?.setBaseAndExtent(last, at + 3, container.querySelector('.md') ?? last, 0)
  const selected = String(getSelection())
  expect(selected).toContain('One')

  for (const more of [' grows', ' and grows', ' and grows\n\nand more\n\nand more']) {
    rerender(<Markdown text={start + more} streaming />)
    expect(String(getSelection())).toBe(selected)
  }
  getSelection()?.removeAllRanges()
  rerender(<Markdown text={`${start} and ends`} streaming />)
  expect(String(getSelection())).toBe('')
})

test('code that is drawn in parts is one box, and is copied as one', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const code = 'const a = 1\n\n  // \u202E two\n'.repeat(700)
  const whole = `~~~js\n${code}~~~\n\nEND`
  const { container, rerender } = render(<Markdown text="" streaming />)
  for (let end = 1; end < whole.length; end += 4321) {
    rerender(<Markdown text={whole.slice(0, end)} streaming />)
  }
  rerender(<Markdown text={whole} streaming={false} />)
  await expect.poll(() => container.textContent).toContain('END')

  screen.getByRole('button', { name: 'Copy the code' }).click()

  expect(copied).toHaveBeenCalledWith(code.replace(/\n$/, ''))
  expect(container.querySelectorAll('pre')).toHaveLength(1)
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

import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { LongText } from './long-text.tsx'

afterEach(cleanup)

test('shows the start of a long text, and all of it on demand', async () => {
  const text = Array.from({ length: 9000 }, (_, line) => `line ${line}`).join('\n')
  const { container } = render(<LongText text={text} name="lines" />)
  const shown = () => container.querySelector('pre')?.textContent ?? ''

  expect(shown().length).toBeLessThanOrEqual(32_000)
  expect(text.startsWith(shown())).toBe(true)
  expect(screen.getByRole('button', { name: 'Download lines.txt' })).toBeTruthy()

  for (let more = moreButton(); more; more = moreButton()) await userEvent.click(more)
  expect(shown()).toBe(text)
  // The button is gone, and the keyboard goes on at the text.
  expect(document.activeElement).toBe(container.querySelector('pre'))
})

test('shows less of a text at once that becomes longer by its marks', () => {
  const { container } = render(<LongText text={'a\u202E'.repeat(50_000)} name="marks" />)

  const shown = container.querySelector('pre')?.textContent ?? ''
  expect(shown).toContain('a‹U+202E›a‹U+202E›')
  expect(shown.length).toBeLessThan(40_000)
})

test('shows less of a text at once whose letters take long to lay out', () => {
  const { container } = render(<LongText text={'\u0628'.repeat(50_000)} name="letters" />)

  expect(container.querySelector('pre')?.textContent.length).toBeLessThan(9000)
})

function moreButton(): HTMLElement | null {
  return screen.queryByRole('button', { name: 'Show more' })
}

import type { LogLine } from '@offthread/core'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { LogTail } from './log-tail.tsx'

afterEach(cleanup)

test('a log with warnings and errors can be cut down to them', async () => {
  const { container } = render(<LogTail logs={logs('info', 'warn', 'debug', 'error')} />)
  const texts = () => container.querySelector('.log-tail')?.textContent.match(/[a-z]+$/gm)
  expect(texts()).toEqual(['info', 'warn', 'debug', 'error'])

  await userEvent.click(screen.getByRole('button', { name: 'Warnings and errors only (2)' }))
  expect(texts()).toEqual(['warn', 'error'])

  await userEvent.click(screen.getByRole('button', { pressed: true }))
  expect(texts()).toHaveLength(4)
})

test('a log of one kind has nothing to filter', () => {
  const { rerender } = render(<LogTail logs={logs('info', 'debug')} />)
  expect(screen.queryByRole('button')).toBeNull()
  rerender(<LogTail logs={logs('error', 'warn')} />)
  expect(screen.queryByRole('button')).toBeNull()
})

function logs(...levels: readonly LogLine['level'][]) {
  return { lines: levels.map((level, t) => ({ level, text: level, t })), dropped: 0 }
}

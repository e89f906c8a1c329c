import type { LogLine } from '@offthread/core'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { LogTail } from './log-tail.tsx'

afterEach(cleanup)

test('a log is cut down to the levels that are chosen', async () => {
  const { container, rerender } = render(<LogTail logs={logs('info', 'warn', 'debug', 'error')} />)
  const texts = () => container.querySelector('.log-tail')?.textContent.match(/[a-z]+$/gm)
  const level = (name: string) => userEvent.click(screen.getByRole('button', { name }))
  expect(texts()).toEqual(['info', 'warn', 'debug', 'error'])

  await level('warn 1')
  expect(texts()).toEqual(['warn'])
  await level('error 1')
  expect(texts()).toEqual(['warn', 'error'])
  rerender(<LogTail logs={logs('info', 'info', 'debug', 'error')} />)
  expect(texts()).toEqual(['error'])

  await level('error 1')
  expect(texts()).toBeNull()
  await level('warn 0')
  expect(texts()).toEqual(['info', 'info', 'debug', 'error'])
  await level('info 2')
  await level('debug 1')
  expect(texts()).toEqual(['info', 'info', 'debug'])
})

test('what is not of the chosen levels is not said to be dropped', async () => {
  render(<LogTail logs={{ ...logs('info', 'warn'), dropped: 7 }} />)
  await userEvent.click(screen.getByRole('button', { name: 'warn 1' }))
  expect(screen.getByText('+7 dropped')).toBeDefined()
})

test.each(['x', 'x\u202E', '\n'])('the last of many long lines of %j are shown', (text) => {
  const lines = Array.from({ length: 200 }, () => ({
    level: 'info' as const,
    text: text.repeat(1000),
    t: 0,
  }))
  const logs = { lines: [...lines, { level: 'info' as const, text: 'THE END', t: 0 }], dropped: 7 }
  const { container } = render(<LogTail logs={logs} />)

  expect(container.querySelector('.log-tail')?.textContent).toMatch(/THE END\n$/)
  expect(screen.getByText(/^\+\d+ dropped$/).textContent).not.toBe('+8 dropped')
})

test('a log of one level has nothing to choose', () => {
  render(<LogTail logs={logs('info', 'info')} />)
  expect(screen.queryByRole('button')).toBeNull()
})

function logs(...levels: readonly LogLine['level'][]) {
  return { lines: levels.map((level, t) => ({ level, text: level, t })), dropped: 0 }
}

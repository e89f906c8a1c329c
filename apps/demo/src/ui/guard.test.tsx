import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Guard } from './guard.tsx'

afterEach(cleanup)

test('shows the text of what throws, and leaves its neighbours alone', () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { rerender } = render(page('first'))
  rerender(page('second'))

  expect(screen.getByText('as it is: second')).toBeTruthy()
  expect(screen.getByText('neighbour')).toBeTruthy()
  errors.mockRestore()
})

function page(text: string) {
  return (
    <>
      <Guard fallback={<p>as it is: {text}</p>}>
        <Broken />
      </Guard>
      <p>neighbour</p>
    </>
  )
}

function Broken(): never {
  throw new RangeError('Maximum call stack size exceeded')
}

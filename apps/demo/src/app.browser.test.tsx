import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { App } from './app.tsx'

afterEach(cleanup)

test('lays the page out in a real browser', () => {
  const { getByRole } = render(<App />)

  expect(getByRole('heading', { name: 'Offthread' }).getBoundingClientRect().width).toBeGreaterThan(
    0,
  )
})

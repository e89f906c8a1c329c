import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { App } from './app.tsx'

afterEach(cleanup)

test('shows the name of the product', () => {
  render(<App />)

  expect(screen.getByRole('heading', { name: 'Offthread' })).toBeTruthy()
})

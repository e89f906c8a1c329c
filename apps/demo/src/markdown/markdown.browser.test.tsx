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

function tableOf(rows: number): string {
  return `| a |\n|---|\n${'| 1 |\n'.repeat(rows)}`
}

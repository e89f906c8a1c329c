import { createAgent } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { Question } from './question.tsx'

afterEach(cleanup)

test('the field for other words refuses what it cannot hold, and says so', async () => {
  const agent = createAgent({ model: scriptedModel([say('Yes.')]) })
  await agent.prompt('Is it?')
  const [message] = agent.getState().messages
  if (message?.role !== 'user') throw new Error('There is no question.')
  render(<Question agent={agent} message={message} />)
  await userEvent.click(screen.getByRole('button', { name: 'Edit the question' }))
  const field = screen.getByRole('textbox', { name: 'The question in other words' })
  const holding = (text: string) => ({ files: [], types: ['text/plain'], getData: () => text })

  expect(fireEvent.paste(field, { clipboardData: holding('word '.repeat(20_001)) })).toBe(false)
  expect(screen.getByRole('status').textContent).toMatch(/too long for this field/)
  expect(fireEvent.drop(field, { dataTransfer: holding('\u0301'.repeat(1000)) })).toBe(false)

  expect(fireEvent.paste(field, { clipboardData: holding('or not') })).toBe(true)
  expect(screen.getByRole('status').textContent).toBe('')
})

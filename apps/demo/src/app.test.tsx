import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createDemoAgent } from './agent.ts'
import { App } from './app.tsx'
import { createSession } from './session.ts'
import { createDataStore } from './tools/tables.ts'

afterEach(cleanup)

test('says what it is and who answers', () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  )
  const options = { dev: false, store: createDataStore() }
  render(<App session={createSession(createDemoAgent(options), options)} />)

  expect(screen.getByRole('heading', { name: 'Offthread' })).toBeTruthy()
  expect(screen.getByRole('banner').textContent).toContain(
    'Scripted planner — rules, not a language model',
  )
})

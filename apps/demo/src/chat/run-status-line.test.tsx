import { createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, hold, say, scriptedModel, uses } from '@offthread/core/testing'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { RunStatusLine } from './run-status-line.tsx'

afterEach(cleanup)

const work = defineTool({
  name: 'work',
  description: 'Works.',
  inputSchema: z.object({}),
  place: 'page',
})

test.each([
  [{ inputTokens: 1200, outputTokens: 34 }, '1,234 tokens'],
  [{ inputTokens: 0, outputTokens: 0 }, ''],
])('shows the tokens that were reported, and none where none were: %j', async (usage, shown) => {
  const model = scriptedModel([call('work', {}), uses(usage)], [say('And'), hold()])
  const agent = createAgent({ model, tools: [inPage([implement(work, () => 'Done.')])] })
  const run = agent.prompt('Work.')
  await expect.poll(() => model.requests).toHaveLength(2)
  render(<RunStatusLine agent={agent} />)

  const status = screen.getByRole('region', { name: 'Run status' })
  expect(status.querySelector('.run-tokens')?.textContent ?? '').toBe(shown)

  agent.abort()
  await act(() => run)
  expect(screen.queryByRole('region', { name: 'Run status' })).toBeNull()
})

import { createAgent, implement, inPage, ToolError } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import * as Thread from '@offthread/react/thread'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { DemoAgent } from '../../agent.ts'
import { defaultSettings, storeSettings } from '../../model/settings.ts'
import { createSession, SessionContext } from '../../session.ts'
import { loadTable } from '../../tools/definitions.ts'
import { createDataStore } from '../../tools/tables.ts'
import { DemoCard } from '../demo-card.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

test('a file with ragged rows is repaired with one click, whatever model answers', async () => {
  const asked = await show('anthropic')

  await userEvent.click(screen.getByRole('button', { name: 'load bad.csv without ragged rows' }))

  expect(asked).toHaveBeenCalledWith('load bad.csv without ragged rows', { files: [] })
})

test('the card leaves it to the answer of the planner', async () => {
  await show('planner')

  expect(screen.queryByRole('button', { name: 'load bad.csv without ragged rows' })).toBeNull()
})

async function show(provider: 'anthropic' | 'planner') {
  storeSettings({ ...defaultSettings, provider })
  const options = { dev: false, store: createDataStore() }
  const agent = createAgent({
    model: scriptedModel([call('load_table', { file: 'bad.csv' })], [say('Done.')]),
    tools: inPage([
      implement({ ...loadTable, place: 'page' }, () => {
        throw new ToolError(
          'failed',
          'Such rows can be left out, padded with empty values, or shown.',
        )
      }),
    ]),
  })
  await agent.prompt('Load it')
  const results = agent.getTranscript()
  const [id = ''] = results.flatMap((one) => (one.role === 'toolResult' ? one.toolCallId : []))
  await expect.poll(() => agent.getState().toolCalls.get(id)?.hasEnded).toBe(true)
  // Only now, because it gives the agent the model of the settings.
  const session = createSession(agent as DemoAgent, options)
  const send = vi.fn(() => true)
  render(
    <SessionContext value={{ ...session, send }}>
      <Thread.Root agent={agent}>
        <DemoCard toolCallId={id} />
      </Thread.Root>
    </SessionContext>,
  )
  return send
}

import { createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import * as Thread from '@offthread/react/thread'
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { DemoAgent } from '../agent.ts'
import { createSession, SessionContext } from '../session.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'
import { DemoCard } from './demo-card.tsx'
import { ToolGroup } from './tool-group.tsx'

afterEach(cleanup)

test('a call that waits for a person is shown, however many come before it', {
  timeout: 30_000,
}, async () => {
  const options = { dev: false, store: createDataStore() }
  const calls = Array.from({ length: 60 }, (_, n) => call('remove', { n }))
  const agent = createAgent({
    model: scriptedModel(calls, [say('Done.')]),
    tools: [...hostTools(options), inPage([implement(remove, () => 'Removed.')])],
  })
  const session = createSession(agent as DemoAgent, options)
  const ended = agent.prompt('Remove them.')
  await vi.waitFor(() => expect(agent.getState().status).toBe('awaiting_approval'), 10_000)
  const ids =
    agent
      .getState()
      .messages.at(-1)
      ?.content.flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : [])) ?? []
  render(
    <SessionContext value={session}>
      <Thread.Root agent={agent}>
        <ToolGroup agent={agent} ids={ids} renderCard={(id) => <DemoCard toolCallId={id} />} />
      </Thread.Root>
    </SessionContext>,
  )

  expect(screen.getAllByRole('listitem')).toHaveLength(51)
  await userEvent.click(screen.getByRole('button', { name: 'Allow' }))
  await act(() => ended)

  expect(screen.getAllByRole('listitem')).toHaveLength(51)
  expect(screen.getByRole('button', { name: 'Show more (9 calls)' })).toBeDefined()
})

const remove = defineTool({
  name: 'remove',
  description: 'Removes a file.',
  inputSchema: z.object({ n: z.number() }),
  needsApproval: ({ n }) => n === 57,
  place: 'page',
})

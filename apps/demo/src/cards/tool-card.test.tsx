import { createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { DemoAgent } from '../agent.ts'
import { StatusStrip } from '../chat/status-strip.tsx'
import { createSession, SessionContext } from '../session.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'
import { ToolCard } from './tool-card.tsx'

afterEach(cleanup)

test.each([
  ['Allow', 'succeeded', 1],
  ['Deny', 'denied', 0],
] as const)(
  'asks before a call that needs approval, and takes %s',
  async (answer, status, runs) => {
    const { agent, execute, ended, id } = await show()

    expect(agent.getState().isActive).toBe(true)
    expect(screen.getByRole('region', { name: 'Run status' }).textContent).toContain(
      'Waiting for you',
    )
    expect(screen.getByRole('group', { name: 'Allow this call?' }).textContent).toContain('"a.txt"')
    await userEvent.click(screen.getByRole('button', { name: answer }))
    await ended

    expect(agent.getState().toolCalls.get(id)?.status).toBe(status)
    expect(execute).toHaveBeenCalledTimes(runs)
    expect(screen.queryByRole('group', { name: 'Allow this call?' })).toBeNull()
  },
)

test('stops a run that waits for approval', async () => {
  const { agent, ended } = await show()

  await userEvent.click(screen.getByRole('button', { name: 'Stop the run' }))
  await ended

  expect(agent.getState().lastReason).toBe('aborted')
})

const remove = defineTool({
  name: 'remove',
  description: 'Removes a file.',
  inputSchema: z.object({ file: z.string() }),
  needsApproval: true,
  place: 'page',
})

async function show() {
  const options = { dev: false, store: createDataStore() }
  const execute = vi.fn(() => 'Removed.')
  const agent = createAgent({
    model: scriptedModel([call('remove', { file: 'a.txt' })], [say('Done.')]),
    tools: [...hostTools(options), inPage([implement(remove, execute)])],
  })
  const session = createSession(agent as DemoAgent, options)
  const ended = agent.prompt('Remove a.txt')
  await vi.waitFor(() => expect(agent.getState().status).toBe('awaiting_approval'))
  const id = agent.getState().toolCalls.active[0]?.toolCallId ?? ''
  render(
    <SessionContext value={session}>
      <StatusStrip />
      <ToolCard toolCallId={id} onToggle={() => {}} />
    </SessionContext>,
  )
  return { agent, execute, ended, id }
}

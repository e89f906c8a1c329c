import {
  createAgent,
  defineTool,
  implement,
  inPage,
  memoryStorage,
  type ToolAnswer,
} from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import * as Thread from '@offthread/react/thread'
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { DemoAgent } from '../agent.ts'
import { createApprovals } from '../approvals.ts'
import { DemoComposer } from '../chat/demo-composer.tsx'
import { createSession, SessionContext } from '../session.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'
import { DemoCard } from './demo-card.tsx'

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

test('the field for a reason takes no more than the page can lay out', async () => {
  await show()
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: /^Why not/ })

  await userEvent.click(field)
  await userEvent.paste('word '.repeat(4000))

  expect(field.value).toBe('word '.repeat(400))
})

test('[UI15] a reason for a denial goes to the model', async () => {
  const { agent, execute, ended, id } = await show()

  await userEvent.type(screen.getByRole('textbox', { name: /^Why not/ }), 'Not c, move it{Enter}')
  await act(() => ended)

  expect(execute).not.toHaveBeenCalled()
  const { content } = agent.getState().toolCalls.get(id)?.result ?? {}
  const text = 'The user did not allow this call. Not c, move it. It did not run.'
  expect(content).toEqual([{ type: 'text', text }])
  await userEvent.click(screen.getByRole('button', { expanded: false, name: /remove/i }))
  const card = document.querySelector('.card-details')?.textContent
  expect(card).toContain(text)
  expect(card).toContain('Denied: it was not run.')
})

test('a tool that is always allowed in this chat is not asked about again, until it shall be', async () => {
  const { agent, execute, ended, session } = await show()
  await userEvent.click(screen.getByRole('button', { name: 'Always in this chat' }))
  await act(() => ended)
  const asked: string[] = []
  agent.subscribe(({ type }) => void (type.startsWith('tool_approval') && asked.push(type)))

  await act(() => agent.prompt('Remove it again'))
  expect(execute).toHaveBeenCalledTimes(2)
  // It is in the log as one that was asked about and allowed.
  expect(asked).toEqual(['tool_approval_requested', 'tool_approval_resolved'])

  session.approvals.askAgain('remove')
  const third = agent.prompt('And again')
  await expect.poll(() => agent.getState().status).toBe('awaiting_approval')
  agent.abort()
  await act(() => third)
  expect(execute).toHaveBeenCalledTimes(2)
})

test('what is always allowed in a chat is still so after a reload, and in no other chat', async () => {
  const storage = memoryStorage()
  const of = (sessionId: string) => {
    const agent = createAgent({
      model: scriptedModel(),
      tools: hostTools(options),
      storage,
      sessionId,
    })
    return createApprovals(agent, { storage, sessionId })
  }
  of('one').allow('remove')

  const [same, other] = [of('one'), of('two')]
  await expect.poll(() => [...same.getState()]).toEqual(['remove'])
  expect([...other.getState()]).toEqual([])
})

test('stops a run that waits for approval', async () => {
  const { agent, ended } = await show()

  await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
  await ended

  expect(agent.getState().lastReason).toBe('aborted')
})

test('the input of a card that opened by itself takes the focus to its header', async () => {
  const { ended, execute } = await show()
  execute.mockImplementation(() => {
    throw new Error('No.')
  })
  await userEvent.click(screen.getByRole('button', { name: 'Allow' }))
  await act(() => ended)

  await userEvent.click(screen.getByRole('button', { name: 'Input and timing' }))

  expect(document.activeElement).toBe(screen.getByRole('button', { expanded: true }))
})

const remove = defineTool({
  name: 'remove',
  description: 'Removes a file.',
  inputSchema: z.object({ file: z.string() }),
  needsApproval: true,
  place: 'page',
})

const options = { dev: false, store: createDataStore() }

async function show() {
  const execute = vi.fn((): ToolAnswer<typeof remove> => 'Removed.')
  const agent = createAgent({
    model: scriptedModel(
      ...[1, 2, 3].flatMap(() => [[call('remove', { file: 'a.txt' })], [say('Done.')]]),
    ),
    tools: [...hostTools(options), inPage([implement(remove, execute)])],
  })
  const session = createSession(agent as DemoAgent, options)
  const ended = agent.prompt('Remove a.txt')
  await expect.poll(() => agent.getState().status).toBe('awaiting_approval')
  const id = agent.getState().toolCalls.active[0]?.toolCallId ?? ''
  render(
    <SessionContext value={session}>
      <Thread.Root agent={agent}>
        <DemoCard toolCallId={id} />
        <DemoComposer />
      </Thread.Root>
    </SessionContext>,
  )
  return { agent, execute, ended, id, session }
}

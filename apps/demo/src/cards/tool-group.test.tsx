import { type Agent, createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, hold, say, scriptedModel } from '@offthread/core/testing'
import { useReplay } from '@offthread/react'
import * as Thread from '@offthread/react/thread'
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { DemoAgent } from '../agent.ts'
import { createSession, type Session, SessionContext } from '../session.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'
import { DemoCard } from './demo-card.tsx'
import { ToolGroup } from './tool-group.tsx'

afterEach(cleanup)

test('a call that waits for a person is shown, however many come before it', async () => {
  const options = { dev: false, store: createDataStore() }
  const calls = Array.from({ length: 60 }, (_, n) => call('remove', { n }))
  const agent = createAgent({
    model: scriptedModel(calls, [say('Done.')]),
    tools: [...hostTools(options), inPage([implement(remove, () => 'Removed.')])],
  })
  const session = createSession(agent as DemoAgent, options)
  const ended = agent.prompt('Remove them.')
  await vi.waitFor(() => expect(agent.getState().status).toBe('awaiting_approval'), 10_000)
  render(
    <SessionContext value={session}>
      <Thread.Root agent={agent}>
        <ToolGroup agent={agent} ids={idsIn(agent)} renderCard={renderCard} />
      </Thread.Root>
    </SessionContext>,
  )

  expect(screen.getAllByRole('listitem')).toHaveLength(51)
  await userEvent.click(screen.getByRole('button', { name: 'Allow' }))
  await act(() => ended)

  expect(screen.getAllByRole('listitem')).toHaveLength(51)
  expect(screen.getByRole('button', { name: 'Show more (9 calls)' })).toBeDefined()
})

test('all calls of a group are cancelled with one button, which gives its focus to the group', async () => {
  const { agent, ended } = await showGroup([call('wait'), call('wait'), call('wait')])
  expect(await screen.findByText('3 tools · 3 running')).toBeDefined()

  await userEvent.click(screen.getByRole('button', { name: 'Cancel all' }))
  await act(() => ended)

  expect(agent.getState().lastReason).toBe('stop')
  const toggle = screen.getByRole('button', { name: /^3 tools · 3 stopped/ })
  expect(document.activeElement).toBe(toggle)
  expect(screen.queryByRole('button', { name: 'Cancel all' })).toBeNull()
})

test('calls that the model still writes are counted so, live and in a replay, as their cards say', async () => {
  const { agent, ended } = await showGroup([call('note'), call('note'), hold()])
  const said = () => ({
    head: screen.getByRole('button', { name: /^2 tools/ }).textContent,
    cards: [...document.querySelectorAll('.status-word')].map(({ textContent }) => textContent),
  })
  const writing = { head: '2 tools · 2 writing', cards: ['Writing', 'Writing'] }
  expect(said()).toEqual(writing)
  agent.abort()
  await act(() => ended)
  cleanup()

  // What is stored has the answer once it is complete.
  const { session, ended: done } = await showGroup([call('note'), call('note')])
  await act(() => done)
  cleanup()
  render(<Replayed session={session} />)
  await userEvent.click(screen.getByRole('button', { name: 'First event' }))
  while (!screen.queryByRole('button', { name: /^2 tools/ })) {
    await userEvent.click(screen.getByRole('button', { name: 'Next event' }))
  }
  expect(said()).toEqual(writing)
})

test('one call alone has its own button only', async () => {
  const { agent, ended } = await showGroup([call('wait'), call('wait')])
  await screen.findByText('2 tools · 2 running')

  await userEvent.click(
    screen.getAllByRole('button', { name: /^Cancel wait/i })[0] ?? document.body,
  )

  expect(await screen.findByText('2 tools · 1 running · 1 stopped')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Cancel all' })).toBeNull()
  agent.abort()
  await act(() => ended)
})

test('a group folds when the next question is asked, unless its reader has decided', async () => {
  const { agent, ended } = await showGroup([call('note'), call('note')])
  await act(() => ended)
  const toggle = screen.getByRole('button', { name: /^2 tools · 2 done/ })
  const list = screen.getByRole('list', { name: 'Tool calls' })
  expect(toggle.getAttribute('aria-controls')).toBe(list.id)
  expect(toggle.ariaExpanded).toBe('true')

  await act(() => agent.prompt('And now?'))
  expect(toggle.ariaExpanded).toBe('false')
  expect(list.dataset['folded']).toBe('true')

  await userEvent.click(toggle)
  expect(list.dataset['folded']).toBe('false')
  await act(() => agent.prompt('And then?'))
  expect(toggle.ariaExpanded).toBe('true')
})

/** A group at the moment of the log to which the buttons lead. */
function Replayed({ session }: { readonly session: Session }): ReactNode {
  const { agent, seek, step } = useReplay(session.agent)
  return (
    <SessionContext value={{ ...session, agent, isReplay: true }}>
      <button type="button" onClick={() => seek(0)}>
        First event
      </button>
      <button type="button" onClick={() => step(1)}>
        Next event
      </button>
      <Thread.Root agent={agent}>
        <ToolGroup agent={agent} ids={idsIn(agent)} renderCard={renderCard} isReplay />
      </Thread.Root>
    </SessionContext>
  )
}

async function showGroup(calls: readonly ReturnType<typeof call>[]) {
  const options = { dev: false, store: createDataStore() }
  const agent = createAgent({
    model: scriptedModel(calls, ...[1, 2, 3].map(() => [say('Done.')])),
    tools: [
      ...hostTools(options),
      inPage([
        implement(note, () => 'Noted.'),
        implement(
          wait,
          (_, { signal }) =>
            new Promise((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason))
            }),
        ),
      ]),
    ],
  })
  const session = createSession(agent as DemoAgent, options)
  const ended = agent.prompt('Go.')
  const count = calls.filter(({ type }) => type === 'call').length
  await expect.poll(() => idsIn(agent)).toHaveLength(count)
  render(
    <SessionContext value={session}>
      <Thread.Root agent={agent}>
        <ToolGroup agent={agent} ids={idsIn(agent)} renderCard={renderCard} />
      </Thread.Root>
    </SessionContext>,
  )
  return { agent, session, ended }
}

/** The calls of the first answer. */
function idsIn(agent: Agent): readonly string[] {
  const content = agent.getState().messages[1]?.content ?? []
  return content.flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : []))
}

function renderCard(toolCallId: string): ReactNode {
  return <DemoCard toolCallId={toolCallId} />
}

const inputSchema = z.object({})
const note = defineTool({ name: 'note', description: 'Notes.', inputSchema, place: 'page' })
const wait = defineTool({ name: 'wait', description: 'Waits.', inputSchema, place: 'page' })

const remove = defineTool({
  name: 'remove',
  description: 'Removes a file.',
  inputSchema: z.object({ n: z.number() }),
  needsApproval: ({ n }) => n === 57,
  place: 'page',
})

import {
  type Agent,
  type AgentOptions,
  createAgent,
  defineTool,
  implement,
  inPage,
  ToolError,
} from '@offthread/core'
import { call, finish, type ScriptedAnswer, say, scriptedModel } from '@offthread/core/testing'
import * as Thread from '@offthread/react/thread'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { DemoAgent } from '../agent.ts'
import { createSession, SessionContext } from '../session.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'
import { DemoCard } from './demo-card.tsx'

afterEach(cleanup)

interface Ending {
  readonly does?: string
  readonly calls?: ScriptedAnswer
  readonly options?: Partial<AgentOptions>
  readonly timeoutMs?: number
  /** What a person does once the first call runs. Of two calls the second one is looked at. */
  readonly act?: (agent: Agent, id: string) => unknown
  readonly word: string
  /** What the opened card says. */
  readonly says: readonly string[]
}

const withheld = { name: 'withholds', afterToolCall: () => Promise.reject(new Error('no')) }
const blocks = {
  name: 'blocks',
  beforeToolCall: () => ({ block: true, reason: 'Not today.' }) as const,
}

const two = [call('work', { does: 'wait for its release' }), call('work', { does: 'return' })]
let release = (): void => undefined

const endings: Readonly<Record<string, Ending>> = {
  returned: { does: 'return', word: 'Done', says: ['Result', 'All is well.'] },
  threw: {
    does: 'throw',
    word: 'Failed',
    says: ['ErrorWhat the model read', 'There is no such row.'],
  },
  'a result of another form': {
    does: 'return a number',
    word: 'Failed',
    says: ['The result of "work" cannot be used: It does not fit outputSchema: '],
  },
  'arguments of another form': {
    calls: [call('work', { does: 7 })],
    word: 'Failed',
    says: ['Invalid arguments: does:', 'It did not run.'],
  },
  'an unknown tool': {
    calls: [call('play', {})],
    word: 'Failed',
    says: ['No tool named "play". Available: ', 'It did not run.'],
  },
  'an answer that was cut off': {
    calls: [call('work', { does: 'return' }), finish('max_tokens')],
    word: 'Failed',
    says: ['Not run: the answer was cut off before this call was complete.'],
  },
  'too many calls': {
    calls: [call('work', { does: 'return' }), call('work', { does: 'return' })],
    options: { maxCallsPerTurn: 1 },
    word: 'Failed',
    says: ['Not run: limit of 1 tool calls per turn reached.'],
  },
  'a result that a hook withheld': {
    does: 'return',
    options: { hooks: [withheld] },
    word: 'Failed',
    says: ['Result withheld: a hook failed.'],
  },
  'a call that a hook forbade': {
    does: 'return',
    options: { hooks: [blocks] },
    word: 'Denied',
    says: ['Not today.', 'Denied: it was not run.'],
  },
  'cancelled by its person, and stopped by itself': {
    does: 'wait for the signal',
    act: (agent, id) => agent.cancelTool(id),
    word: 'Cancelled',
    says: [
      'Cancelled by the user while running. It may have had partial effects.',
      'Cancelled by you. The tool stopped by itself.',
    ],
  },
  'stopped with the run': {
    does: 'wait for the signal',
    act: (agent) => agent.abort(),
    word: 'Cancelled',
    says: ['Cancelled by the user while running.', 'Cancelled by you. The tool stopped by itself.'],
  },
  'cancelled by the tool itself': {
    does: 'give up',
    word: 'Cancelled',
    says: ['The other side has cancelled it.', 'Cancelled by the tool itself.'],
  },
  'cancelled while it waited': {
    calls: two,
    options: { maxConcurrency: 1 },
    act: (agent, id) => [agent.cancelTool(id), agent.abort()],
    word: 'Cancelled',
    says: ['Cancelled by the user before it started.', 'Cancelled by you before it started.'],
  },
  'skipped because its person said something': {
    calls: two,
    options: { toolExecution: 'sequential' },
    act: (agent) => [agent.steer('Wait.'), release()],
    word: 'Skipped',
    says: ['Not run: the user sent a new message.', 'Skipped: it was not run.'],
  },
  'timed out': {
    does: 'wait for the signal',
    timeoutMs: 50,
    word: 'Timed out',
    says: ['Timed out after 0.05 s and was stopped.', 'Timed out. The tool stopped by itself.'],
  },
}

test.for(Object.entries(endings))('the card of %s', async ([, ending]) => {
  const { word, says } = ending
  await end(ending)

  const card = screen.getByRole('listitem')
  expect(card.querySelector('.status-word')?.textContent).toBe(word)
  for (const sentence of says) expect(card.textContent).toContain(sentence)
  expect(card.textContent?.includes('by you')).toBe(says.join().includes('by you'))
  expect(card.querySelector('[role="progressbar"]')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Cancel / })).toBeNull()
})

/** Ends a call so, and shows its card, opened. */
async function end(ending: Ending): Promise<void> {
  const { does = '', calls = [call('work', { does })], options = {}, timeoutMs = 60_000 } = ending
  const work = defineTool({
    ...{ name: 'work', description: 'Works.', place: 'page', timeoutMs },
    inputSchema: z.object({ does: z.string() }),
    outputSchema: z.string(),
  })
  const agent = createAgent({
    model: scriptedModel(calls, [say('Done.')], [say('Done.')]),
    tools: [
      ...hostTools(pageOptions),
      inPage([implement(work, ({ does }, { signal }) => deeds[does]?.(signal) ?? 'All is well.')]),
    ],
    ...options,
  })
  const session = createSession(agent as DemoAgent, pageOptions)
  // The page has set its own.
  if (options.hooks) agent.configure({ hooks: options.hooks })
  const done = agent.prompt('Work.')
  const last = () => [...agent.getState().toolCalls.active.values()].at(-1)
  if (ending.act) {
    await expect.poll(() => agent.getState().toolCalls.active[0]?.status).toBe('running')
    ending.act(agent, last()?.toolCallId ?? '')
  }
  await done
  const { messages } = agent.getState()
  const ids = messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : [])),
  )
  render(
    <SessionContext value={session}>
      <Thread.Root agent={agent}>
        <DemoCard toolCallId={ids.at(-1) ?? ''} />
      </Thread.Root>
    </SessionContext>,
  )
  const closed = screen.queryByRole('button', { expanded: false, name: /work|play/i })
  if (closed) act(() => closed.click())
}

const pageOptions = { dev: false, store: createDataStore() }

const deeds: Readonly<Record<string, (signal: AbortSignal) => string | Promise<string>>> = {
  throw: () => {
    throw new Error('There is no such row.')
  },
  // What the types forbid a script can do.
  'return a number': () => JSON.parse('7') as string,
  'give up': () => {
    throw new ToolError('cancelled', 'The other side has cancelled it.')
  },
  'wait for the signal': (signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    }),
  'wait for its release': () =>
    new Promise((resolve) => {
      release = () => resolve('Released.')
    }),
}

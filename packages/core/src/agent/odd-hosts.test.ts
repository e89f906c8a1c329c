import { expect, test } from 'vitest'
import { z } from 'zod'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import type { CallNotice, Execution, Settlement, ToolHost } from '../tools/host.ts'
import { catchReports, passTime, watchedAgent } from './agent.fixtures.ts'

const own = defineTool({
  name: 'own',
  description: 'Runs at a place of the app.',
  place: 'page',
  inputSchema: z.object({}),
})

const text = [{ type: 'text', text: 'Fine.' }]
const fine = { kind: 'returned', result: { content: text } }

// As in plain JavaScript, where no type keeps a host from giving any of these.
const settlements: readonly (readonly [string, unknown])[] = [
  ['a kind that is not known', { kind: 'done' }],
  ['nothing', undefined],
  ['no result', { kind: 'returned' }],
  ['content that is no list', { kind: 'returned', result: { content: 'Fine.' } }],
  [
    'details with a date',
    { kind: 'returned', result: { content: text, details: { at: new Date(0) } } },
  ],
  ['details with a BigInt', { kind: 'returned', result: { content: text, details: 1n } }],
  [
    'structured content with a function',
    { kind: 'returned', result: { content: text, structuredContent: { f: String } } },
  ],
  [
    'a wish to end the run that is no boolean',
    { kind: 'returned', result: { content: text, terminate: 'yes' } },
  ],
  ['artifacts that are none', { kind: 'returned', result: { content: text, artifacts: [{}] } }],
  ['a message that is no text', { kind: 'threw', errorKind: 'failed', message: { code: 7 } }],
  ['an error of a kind that is not known', { kind: 'threw', errorKind: 'busy', message: 'Busy.' }],
  [
    'an error with details that are no JSON',
    { kind: 'threw', errorKind: 'failed', message: 'It failed.', details: 1n },
  ],
  ['a crash without a message', { kind: 'crashed' }],
  ['a stop of a kind that is not known', { kind: 'stopped', how: 'gently' }],
]

const notices: readonly (readonly [string, unknown])[] = [
  ['nothing', null],
  ['a progress that is none', { type: 'progress', progress: { status: 5, value: Number.NaN } }],
  [
    'a partial result with a date',
    { type: 'update', partial: { content: text, details: new Date(0) } },
  ],
  ['no partial result', { type: 'update' }],
  ['log lines that are none', { type: 'log', lines: [{ level: 'loud', text: 5 }], dropped: -1 }],
  ['a log without lines', { type: 'log' }],
  ['more lines left out than a log can count', { type: 'log', lines: [], dropped: 1e300 }],
  ['an event to be stored, without data', { type: 'custom', name: 'own', durable: true }],
  ['an event to be stored, of no JSON', { type: 'custom', name: 'own', data: 1n, durable: true }],
  ['an event without a name', { type: 'custom', data: 1, durable: true }],
]

test.for([
  ...settlements.map(([what, settlement]) => [`ends a call with ${what}`, { settlement }] as const),
  ...notices.map(([what, notice]) => [`reports ${what}`, { notice }] as const),
])('[D53] the session can be opened again if a place of the app %s', async ([, given]) => {
  const environment = createManualEnvironment()
  const storage = memoryStorage()
  const model = scriptedModel([call('own')], [say('Ok.')])
  const session = { model, storage, sessionId: 'session_1', tools: hostThat(given) }
  const { agent } = watchedAgent(session, environment)
  await agent.ready

  expect(await passTime(environment, agent.prompt('Go.'))).toMatchObject({ reason: 'stop' })

  agent.dispose()
  const next = watchedAgent(session, environment)
  await next.agent.ready
  expect(next.agent.getState()).toMatchObject({ access: 'owner', storage: 'memory' })
  next.agent.dispose()
})

test('[I20] a place whose commands throw holds up neither its run nor Stop', async () => {
  const reports = catchReports()
  const throws = () => {
    throw new Error('No.')
  }
  for (const settlement of [Promise.resolve(fine), new Promise(() => {})]) {
    const model = scriptedModel([call('own')], [say('Ok.')])
    const tools = hostThat({ settlement }, { stop: throws, close: throws })
    const { agent, environment } = watchedAgent({ model, tools })

    const done = agent.prompt('Go.')
    await quiet()
    agent.cancelTool('call_1')
    agent.abort()

    await passTime(environment, done)
  }
  expect(reports).not.toEqual([])
})

test('[I25] [I34] what a place says for the first time after the end of its call changes nothing', async () => {
  let sayLate = () => {}
  const tools = hostThat(
    {},
    {
      run: async (_request, listener) => {
        sayLate = () => listener({ type: 'progress', progress: { message: 'Late.' } })
        return fine as Settlement
      },
    },
  )
  const { agent, environment, types } = watchedAgent({
    ...{ model: scriptedModel([call('own')], [say('Ok.')]), tools },
    // As if a call had ended, and its end was not written yet.
    hooks: { afterToolCall: () => void sayLate() },
  })

  expect(await passTime(environment, agent.prompt('Go.'))).toMatchObject({ reason: 'stop' })

  expect(types()).not.toContain('tool_progress')
  expect(environment.clock.pending()).toBe(0)
})

function hostThat(
  { settlement = fine, notice }: { readonly settlement?: unknown; readonly notice?: unknown },
  commands: Partial<Execution> = {},
): ToolHost {
  return {
    tools: [own],
    open: () => ({
      ready: Promise.resolve(),
      run: async (_request, listener) => {
        listener({ type: 'running' })
        if (notice !== undefined) listener(notice as CallNotice)
        return (await settlement) as Settlement
      },
      stop: () => {},
      close: () => {},
      ...commands,
    }),
    check: async () => {},
  }
}

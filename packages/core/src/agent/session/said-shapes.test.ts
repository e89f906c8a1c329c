import { expect, onTestFinished, test } from 'vitest'
import type { Json, JsonObject } from '../../internal/json.ts'
import { hold, say, scriptedModel } from '../../testing/scripted.ts'
import { isSaid } from './said-shapes.ts'
import { sessionId, tabs } from './tabs.fixtures.ts'

const place = { seq: 0, sub: 0 }
const envelope = { v: 1, seq: 3, sub: 900, ts: 0, sessionId, runId: null, turn: 0 }
const update = { ...envelope, type: 'message_update', messageId: 'm' }
const progress = { ...envelope, type: 'tool_progress', toolCallId: 't', toolName: 'n' }
const answer = {
  role: 'user',
  id: 'm',
  parentId: null,
  content: [{ type: 'text', text: 'Forged.' }],
}
const live = (event: Json): JsonObject => ({ say: 'live', after: place, events: [event] })
const wish = (asked: Json): JsonObject => ({ say: 'wish', id: 'w', seq: 1_000_000, wish: asked })

const forged: readonly Json[] = [
  ...['', 7, null, [], {}, { say: 'constructor' }, { say: ['hello'] }],
  ...[{ say: 'live' }, { say: 'live', after: null, events: [] }],
  ...[
    { say: 'live', after: place, events: 'abc' },
    { say: 'live', after: { seq: '0' }, events: [] },
  ],
  ...[live(null), live(7), live({ ...update, assistantMessageEvent: null })],
  live({ ...update, assistantMessageEvent: { type: 'text_delta', contentIndex: 0, delta: {} } }),
  live({ ...update, assistantMessageEvent: { type: 'text_delta', contentIndex: -1, delta: '' } }),
  // What is stored counts only as it is stored.
  live({ ...envelope, type: 'message_end', message: answer }),
  live({
    ...envelope,
    type: 'tool_custom',
    toolCallId: 't',
    toolName: 'n',
    name: 'c',
    data: 1,
    durable: true,
  }),
  ...[live({ ...progress, message: { text: 'x' } }), live({ ...progress, value: '7' })],
  live({ ...envelope, type: 'tool_log', toolCallId: 't', lines: [{ text: 7 }], dropped: 0 }),
  live({
    ...envelope,
    type: 'tool_execution_update',
    toolCallId: 't',
    toolName: 'n',
    partialResult: {},
  }),
  ...[
    { say: 'catch_up', at: place, events: {} },
    { say: 'catch_up', at: null, events: [] },
  ],
  ...[wish(null), wish({}), wish({ command: 'constructor' }), wish({ command: 'prompt' })],
  ...[
    wish({ command: 'prompt', input: 'x' }),
    wish({ command: 'steer', input: [{ type: 'text' }] }),
  ],
  ...[wish({ command: 'cancelTool', toolCallId: { length: 3 } }), wish({ command: 'redact' })],
  wish({ command: 'takeQueued', message: null }),
  wish({ command: 'respondToApproval', toolCallId: 't', response: { decision: 'approve' } }),
  wish({ command: 'retryTool', toolCallId: 't', args: [] }),
  { say: 'wish', id: 7, seq: 1, wish: { command: 'abort' } },
  { say: 'wish', id: 'w', seq: null, wish: { command: 'abort' } },
  ...[{ say: 'granted' }, { say: 'refused', id: 'w' }, { say: 'refused', id: 'w', refusal: {} }],
  { say: 'space', isFull: 'yes' },
  { say: 'space', isFull: true, by: { seq: '0', bootId: null } },
]

test.for(forged)('[K13] a message that no agent posts is none: %j', (message) => {
  expect(isSaid(message)).toBe(false)
})

test('[K13] a result that is one list in 2^60 places is none', () => {
  let result: Json = {}
  for (let level = 0; level < 60; level += 1) result = [result, result]

  expect(isSaid(wish({ command: 'addToolResult', toolCallId: 't', result, isError: false }))).toBe(
    false,
  )
})

test('[K13] messages that no agent posts change nothing, at the owner and at a follower', async () => {
  const { open, pass, storage } = tabs()
  const owner = open(scriptedModel([say('Hello.')], [say('So far.'), hold()], [say('Again.')]))
  await pass(0)
  const asked = owner.agent.prompt('Hi.')
  await pass(0)
  await asked
  const follower = open()
  const going = owner.agent.prompt('Go on.')
  await pass(100)
  const line = storage.connect(sessionId, () => {})
  onTestFinished(line.close)
  const before = [owner, follower].map(({ agent }) => agent.getState())
  const stored = await storage.read(sessionId)

  for (const message of forged) line.post(message)
  await pass(100)

  expect([owner, follower].map(({ agent }) => agent.getState())).toEqual(before)
  expect(await storage.read(sessionId)).toEqual(stored)
  follower.agent.abort()
  await pass(100)
  expect(await going).toMatchObject({ reason: 'aborted' })
  const again = follower.agent.prompt('Once more.')
  await pass(100)
  expect(await again).toMatchObject({ text: 'Again.' })
  expect(follower.agent.getState().messages).toEqual(owner.agent.getState().messages)
})

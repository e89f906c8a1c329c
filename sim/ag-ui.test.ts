import { defaultApplyEvents, HttpAgent, verifyEvents } from '@ag-ui/client'
import type { BaseEvent, Message } from '@ag-ui/core'
import { EventSchemas } from '@ag-ui/core/schemas'
import { from, lastValueFrom, toArray } from 'rxjs'
import { expect, test } from 'vitest'
import { createAgUiEvents } from '../packages/adapters/src/ag-ui/ag-ui-events.ts'
import { contentOf } from '../packages/adapters/src/ag-ui/ag-ui-messages.ts'
import type { AgUiEvent } from '../packages/adapters/src/ag-ui/ag-ui-types.ts'
import {
  type AgentEvent,
  type Message as AgentMessage,
  textOf,
} from '../packages/core/src/index.ts'
import { createReplay } from '../packages/core/src/log.ts'
import { everyLog } from './every-log.ts'
import { retries } from './plans/retries.ts'

test('[X6] AG-UI accepts every event of 100 simulated sessions, and its client ends with the messages of the agent', async () => {
  const sessions: (readonly AgentEvent[])[] = []
  await everyLog((log) => sessions.push(log), { runs: 100, also: retries })

  let compared = 0
  for (const [index, log] of sessions.entries()) {
    const events = log.flatMap(createAgUiEvents()).map(typedEvent)
    await lastValueFrom(from(events).pipe(verifyEvents(), toArray()))
    // Its client copies all messages for each event: a part of the sessions is enough for that.
    if (index % 10 > 0) continue
    const length = 1 + log.findLastIndex((event) => isEnd(event))
    const shown = await messagesIn(log.slice(0, length).flatMap(createAgUiEvents()).map(typedEvent))
    const replay = createReplay(log.slice(0, length))
    const transcript = replay.transcriptAt(length)
    expect(spoken(shown).filter(saysSomething)).toEqual(said(transcript).filter(saysSomething))
    const { toolCalls } = replay.at(length)
    for (const [id, content] of resultsIn(shown)) {
      const whole = toolCalls.get(id)?.result?.content ?? []
      // A snapshot of all messages has what the model reads of it.
      const read = transcript.flatMap((one) =>
        one.role === 'toolResult' && one.toolCallId === id ? [contentOf(one.content)] : [],
      )
      expect([contentOf(whole), ...read]).toContainEqual(content)
    }
    compared += 1
  }
  expect(compared).toBeGreaterThan(15)
})

const isEnd = ({ type, agentId }: AgentEvent) => type === 'agent_end' && agentId === undefined

/** The schema's own type has fields that may be there as `undefined`. */
function typedEvent(event: AgUiEvent): BaseEvent {
  const { timestamp, rawEvent: _raw, metadata: _data, ...typed } = EventSchemas.parse(event)
  return { ...typed, ...(timestamp !== undefined && { timestamp }) }
}

/** What a client of AG-UI has after these events. */
async function messagesIn(events: readonly BaseEvent[]): Promise<readonly Message[]> {
  const agent = new HttpAgent({ url: 'http://localhost' })
  const input = { threadId: '', runId: '', messages: [], tools: [], context: [] }
  const states = defaultApplyEvents(input, from(events), agent, [])
  const all = await lastValueFrom(states.pipe(toArray()))
  return all.findLast(({ messages }) => messages)?.messages ?? []
}

/** Results come in the order in which calls end. */
function spoken(messages: readonly Message[]) {
  return messages.flatMap((message) => {
    if (message.role === 'reasoning' || message.role === 'activity') return []
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
    if (message.role === 'tool') return []
    return { role: message.role, text: message.content ?? '', calls: calls.map(({ id }) => id) }
  })
}

function resultsIn(messages: readonly Message[]) {
  return messages.flatMap((one) =>
    one.role === 'tool' ? [[one.toolCallId, one.content] as const] : [],
  )
}

const saysSomething = ({ text, calls }: { text: unknown; calls: readonly string[] }) =>
  calls.length > 0 || typeof text !== 'string' || text.trim() !== ''

function said(messages: readonly AgentMessage[]) {
  return messages.flatMap(({ role, content }) => {
    if (role === 'toolResult') return []
    const calls = content.flatMap((part) => (part.type === 'toolCall' ? part.toolCallId : []))
    return { role, text: textOf(content), calls }
  })
}

import { setTimeout as pass } from 'node:timers/promises'
import {
  eventsOf,
  type RawEvent,
  type ScriptedAnswer,
  toSse,
} from '../packages/core/src/model/anthropic/fake.fixtures.ts'
import { type Answer, type ModelServer, startModelServer } from './model-server.ts'

/**
 * A model that makes a call of the tool `job` for each number in a question, all in one answer, each of so many
 * milliseconds; behind `ask` they need to be allowed. It answers everything else with a text. What it says depends on
 * nothing but the history that it is sent, which it refuses if it is not valid.
 */
export function startJobsModel(witness: string): Promise<ModelServer> {
  const usual = (body: unknown) => inPieces(eventsOf(answerTo(lastMessage(body), witness)))
  return startModelServer({ protocol: 'anthropic', usual })
}

function answerTo(message: string, witness: string): ScriptedAnswer {
  const numbers = message.includes('"tool_result"') ? [] : (message.match(/\d+/g) ?? [])
  const calls = numbers.map((ms, at) => ({
    type: 'tool_use' as const,
    id: `toolu_${at}`,
    name: 'job',
    pieces: [JSON.stringify({ ms: Number(ms), witness, asks: message.includes('ask') })],
  }))
  const text = calls.length > 0 ? 'I start the jobs now.' : 'All of it is answered.'
  return {
    blocks: [{ type: 'text', pieces: [text.slice(0, 8), text.slice(8)] }, ...calls],
    ...(calls.length > 0 && { stopReason: 'tool_use' }),
  }
}

function lastMessage(body: unknown): string {
  const { messages } = body as { readonly messages: readonly unknown[] }
  return JSON.stringify(messages.at(-1))
}

/** One event at a time, each in a task of its own of the page. */
function inPieces(events: readonly RawEvent[]): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) {
      response.write(toSse([event]))
      await pass(2)
    }
    response.end()
  }
}

import { setTimeout as pass } from 'node:timers/promises'
import {
  eventsOf,
  type RawEvent,
  type ScriptedAnswer,
  toSse,
} from '../packages/core/src/model/anthropic/fake.fixtures.ts'
import { type Answer, type ModelServer, refuse, startModelServer } from './model-server.ts'

/**
 * A model that makes a call of the tool `job` for each number in a question, all in one answer, each of so many
 * milliseconds; with `ask` they need to be allowed. It answers everything else with a text, `slowly` if asked to. What it
 * says depends on nothing but the history that it is sent, which it refuses if it is not valid; and every second time if
 * it is to be `busy`.
 */
export function startJobsModel(witness: string): Promise<ModelServer> {
  let isBusy = false
  const usual = (body: unknown) => {
    const question = lastBlock(body)
    isBusy = question.includes('busy') && !isBusy
    if (isBusy) return refuse({ status: 529, type: 'overloaded_error', message: 'Try later.' })
    const pauseMs = question.includes('slowly') ? 100 : 2
    return inPieces(eventsOf(answerTo(question, witness)), pauseMs)
  }
  return startModelServer({ protocol: 'anthropic', usual })
}

function answerTo(question: string, witness: string): ScriptedAnswer {
  const numbers = question.includes('"tool_result"') ? [] : (question.match(/\d+/g) ?? [])
  const calls = numbers.map((ms, at) => ({
    type: 'tool_use' as const,
    id: `toolu_${at}`,
    name: 'job',
    pieces: [JSON.stringify({ ms: Number(ms), witness, asks: question.includes('ask') })],
  }))
  const text = calls.length > 0 ? 'I start the jobs now.' : 'All of it is answered.'
  return {
    blocks: [{ type: 'text', pieces: [text.slice(0, 8), text.slice(8)] }, ...calls],
    ...(calls.length > 0 && { stopReason: 'tool_use' }),
  }
}

/** A question may come in one message with the results before it. */
function lastBlock(body: unknown): string {
  const { messages } = body as { readonly messages: readonly { readonly content: unknown }[] }
  const content = messages.at(-1)?.content
  return JSON.stringify(Array.isArray(content) ? content.at(-1) : content)
}

/** One event at a time, each in a task of its own of the page. */
function inPieces(events: readonly RawEvent[], pauseMs: number): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) {
      response.write(toSse([event]))
      await pass(pauseMs)
    }
    response.end()
  }
}

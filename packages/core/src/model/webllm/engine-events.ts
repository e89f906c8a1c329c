import { untilAborted } from '../../internal/abort.ts'
import { isObject, type Json, type JsonObject, toJson } from '../../internal/json.ts'
import { yieldToPage } from '../../internal/yield-to-page.ts'
import { garbled, type StreamOptions } from '../port.ts'
import type { WebLLMEngine, WebLLMRequest } from './engine.ts'
import { type EngineUse, waitForEngine } from './engine-queue.ts'

/**
 * The events of one answer. Waits until the engine is free, and does not leave it busy: what is not read to its end is
 * interrupted, and the next request waits until it has stopped.
 */
export async function* engineEvents(
  engine: WebLLMEngine,
  request: WebLLMRequest,
  options: StreamOptions,
): AsyncGenerator<JsonObject, void, undefined> {
  const { signal, onAlive } = options
  const use = await waitForEngine(engine, options)
  const answer = ask(engine, request)
  let hasEnded = false
  try {
    const chunks = await untilAborted(answer, signal)
    while (true) {
      const step = await untilAborted(chunks.next(), signal)
      hasEnded = step.done === true
      if (step.done) return
      use.alive()
      onAlive?.()
      // When the engine has its words ready, awaiting them gives the page no turn.
      await yieldToPage()
      signal.throwIfAborted()
      yield toEvent(step.value)
    }
  } finally {
    // Not awaited: an engine that hangs would hang this too.
    if (hasEnded) use.end()
    else void stop(engine, answer, use)
  }
}

async function ask(engine: WebLLMEngine, request: WebLLMRequest): Promise<AsyncIterator<object>> {
  const chunks = await engine.chat.completions.create(request)
  return chunks[Symbol.asyncIterator]()
}

/** An engine that has written so many words since it was interrupted does not stop by that. */
const mostWords = 1000

/**
 * Reads the rest of an answer until the engine has stopped. Leaving the iteration is not enough: some versions keep the
 * engine locked then. An interruption that comes before the first word is forgotten, so each word asks again.
 */
async function stop(
  engine: WebLLMEngine,
  answer: Promise<AsyncIterator<object>>,
  { alive, end }: EngineUse,
): Promise<void> {
  try {
    const chunks = await answer
    for (let words = 0; words < mostWords; words += 1) {
      await engine.interruptGenerate()
      await yieldToPage()
      if ((await chunks.next()).done) return
      alive()
    }
  } catch {
    // An engine that failed has stopped.
  } finally {
    end()
  }
}

function toEvent(chunk: object): JsonObject {
  const event: Json = toJson(chunk)
  if (isObject(event)) return event
  throw garbled('a piece is no object')
}

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { isObject } from '../../internal/json.ts'
import { isBlank } from '../format/sendable.ts'
import { garbled, notAStream, refused } from '../http/failures.ts'
import type { Fields } from '../http/fields.ts'
import { toRefusal, tryJson } from '../http/refusal.ts'
import type { Target } from '../http/target.ts'
import { textsIn } from '../http/texts-in.ts'
import { firstChoice } from './choice.ts'
import { errorIn } from './error-in.ts'

/** Characters of an answer that comes whole: all of it is held at once. */
const longest = 8 * 1024 * 1024

/**
 * The events of an answer, up to `[DONE]` or the end of the body. An answer that comes whole, because the
 * server does not stream, is one event. Throws a `ModelError` for an event that reports a failure, and for
 * what is no answer at all.
 */
export async function* eventsIn(
  response: Response,
  target: Target,
): AsyncGenerator<Fields, void, undefined> {
  const contentType = response.headers.get('content-type') ?? 'nothing to read'
  const found: EventSourceMessage[] = []
  const parser = createParser({
    onEvent: (message) => void found.push(message),
  })
  let first = ''
  let whole = ''
  let isEmpty = true
  for await (const text of textsIn(response)) {
    first ||= text.trimStart().charAt(0)
    if (first === '<') throw notAStream(target, contentType)
    if (first === '{') {
      whole += text
      if (whole.length > longest) throw garbled('it does not end')
      continue
    }
    parser.feed(text)
    for (const message of found.splice(0)) {
      isEmpty = false
      if (isDone(message)) return
      if (!isBlank(message.data)) yield readEvent(message, target)
    }
  }
  if (first === '{') return yield readWhole(whole, { target, contentType })
  // The last event may lack the line break that ends it. What is left of a torn one is no event.
  parser.feed('\n\n')
  for (const message of found.splice(0)) {
    isEmpty = false
    if (tryJson(message.data) !== undefined) yield readEvent(message, target)
  }
  if (isEmpty && !contentType.includes('event-stream')) throw notAStream(target, contentType)
}

function isDone({ data }: EventSourceMessage): boolean {
  return data.trim() === '[DONE]'
}

function readEvent({ event: type, data }: EventSourceMessage, target: Target): Fields {
  const event = tryJson(data)
  if (type === 'error') throw refused(toRefusal(event ?? data), target)
  if (event === undefined) throw garbled('an event is not JSON')
  return withoutError(event, target)
}

function withoutError(event: unknown, target: Target): Fields {
  if (!isObject(event)) throw garbled('an event is no object')
  const error = errorIn(event)
  if (error) throw refused(toRefusal(error), target)
  return event
}

interface Source {
  readonly target: Target
  readonly contentType: string
}

/** Makes one event of an answer that came whole. */
function readWhole(text: string, { target, contentType }: Source): Fields {
  const answer = tryJson(text)
  if (answer === undefined) throw garbled('it is not JSON')
  const { usage, ...rest } = withoutError(answer, target)
  const choice = firstChoice(rest)
  const { message, finish_reason } = choice ?? {}
  if (!isObject(message) || typeof finish_reason !== 'string') {
    throw notAStream(target, contentType)
  }
  return { usage, choices: [{ delta: message, finish_reason }] }
}

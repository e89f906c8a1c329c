import { platformClock } from '../../internal/clock.ts'
import {
  hasTooManyValues,
  isJsonObject,
  isList,
  type Json,
  type JsonObject,
  mostValues,
  tryJson,
} from '../../internal/json.ts'
import { isJson } from '../../internal/read-json.ts'
import { yieldToPage } from '../../internal/yield-to-page.ts'
import { garbled, tooLarge } from '../port.ts'
import { openText } from './body-text.ts'
import { createEventParser, type ServerSentEvent } from './event-parser.ts'
import { Failed } from './failures.ts'
import { problemIn, statusIn } from './refusal.ts'

/** Characters of one event, or of an answer that comes whole: all of it is held in memory. */
const longest = 8 * 1024 * 1024

/**
 * Characters of a whole body. Each event takes hundreds of them for its form, however short its text, and comments
 * count, too.
 */
const longestBody = 256 * 1024 * 1024

/** Milliseconds to wait for more, such as usage, when the answer has ended and the connection stays open. */
const endPatienceMs = 1000

/** How a provider writes its answers. */
export interface EventReading {
  readonly signal: AbortSignal
  /** Called for every piece of the body: a comment is no event, but shows that the server lives. */
  readonly onAlive?: (() => void) | undefined
  /** Reads one event, unless it reports a failure; `null` skips it. */
  readonly read: (message: ServerSentEvent) => JsonObject | null
  /** Reads an answer that came whole, from a server that does not stream; `null` if the body is no answer. */
  readonly readWhole?: (answer: JsonObject) => JsonObject | null
  /**
   * Whether an event says that the answer has ended. `before`: another one has said it, and the wait for more starts again
   * only if this one says something else, too. Default: the end of the body says it.
   */
  readonly isEnd?: (event: JsonObject, before: unknown) => boolean
  /**
   * Whether the last event counts without the line breaks after it, which some servers leave out. Default: it does not.
   */
  readonly mayEndOpen?: boolean
}

/**
 * The events of an answer, up to `[DONE]` or the end of the body. Throws `Failed` for what is no answer, such as a
 * login page, and for what an event reports, and a `ModelError` for an event that is too long. The page has its turn
 * while they are read.
 */
export async function* readEvents(
  response: Response,
  { signal, onAlive, readWhole, isEnd, mayEndOpen = false, ...reading }: EventReading,
): AsyncGenerator<JsonObject, void, undefined> {
  const { headers } = response
  const contentType = headers.get('content-type') ?? 'nothing to read'
  const notAStream = () => new Failed({ what: 'not_a_stream', contentType })
  const read = unlessError(reading.read, headers)
  const parse = createEventParser(longest)
  let first = ''
  let whole = ''
  let isEmpty = true
  let chars = 0
  let stopWaiting: (() => void) | undefined
  const body = openText(response)
  try {
    for (let text = await body.next(); text !== undefined; text = await body.next()) {
      signal.throwIfAborted()
      onAlive?.()
      chars += text.length
      if (chars > longestBody) throw tooLarge('256 MB')
      first ||= text.trimStart().charAt(0)
      if (first === '<') throw notAStream()
      if (/[[{]/.test(first) && readWhole) {
        whole += text
        if (whole.length > longest) throw garbled('it is too long')
        continue
      }
      for (const message of parse(text)) {
        isEmpty = false
        if (message.data.trim() === '[DONE]') return
        await yieldToPage()
        checked(message.data)
        // To count its values takes its time, as to read them does.
        await yieldToPage()
        const event = read(message)
        if (event === null) continue
        if (isEnd?.(event, stopWaiting)) {
          stopWaiting?.()
          stopWaiting = platformClock.setTimer(endPatienceMs, body.close)
        }
        yield event
      }
    }
  } finally {
    stopWaiting?.()
    body.close()
  }
  if (whole !== '' && readWhole) {
    const answer = readWhole(parseEvent(checked(whole)))
    if (answer === null) throw notAStream()
    return yield answer
  }
  for (const message of mayEndOpen ? parse('\n\n') : []) {
    isEmpty = false
    // The rest of an event that broke off is no JSON, and is skipped.
    const event = valueIn(checked(message.data)) === undefined ? null : read(message)
    if (event !== null) yield event
  }
  if (isEmpty && !contentType.includes('event-stream')) throw notAStream()
}

/** Reads an event, unless its name says that it is an error. */
function unlessError(read: EventReading['read'], headers: Headers): EventReading['read'] {
  return (message) => {
    if (message.event !== 'error') return read(message)
    throw new Failed({ what: 'refused', said: valueIn(message.data) ?? message.data, headers })
  }
}

/** The data of an event. Throws a `ModelError` if it has more values than a page reads at once. */
export function checked(data: string): string {
  if (hasTooManyValues(data)) throw garbled(`an event has over ${mostValues} values`)
  return data
}

/** The JSON in checked data, `undefined` if it is none. Throws a `ModelError` for what no event could hold. */
export function valueIn(data: string): Json | undefined {
  const value = tryJson(data)
  // An event that is nested too deeply could not be stored, and the words of an error could not be looked for in it.
  if (value !== undefined && !isJson(value)) throw garbled('an event cannot be kept')
  return value
}

/** The object in checked data of an event, or in an answer. Throws a `ModelError` if there is none. */
export function parseEvent(data: string): JsonObject {
  const value = valueIn(data)
  // Some servers put an error into a list.
  const event = isList(value) ? value[0] : value
  if (!isJsonObject(event)) throw garbled('an event is no object')
  return event
}

/** The event itself. Throws `Failed` for an event that reports a failure in the middle of an answer. */
export function withoutError(event: JsonObject): JsonObject {
  const { choices, error, object, type } = event
  // No part of an answer has the fields in which some servers say what is wrong, where they have answered with 200.
  const isPart = choices || type || !(problemIn(event) || statusIn(event))
  if (!isPart || error || object === 'error' || type === 'error')
    throw new Failed({ what: 'refused', said: event })
  return event
}

import { isJsonObject, type JsonObject, tryJson } from '../../internal/json.ts'
import { garbled } from '../port.ts'
import { openText } from './body-text.ts'
import { createEventParser, type ServerSentEvent } from './event-parser.ts'
import { notAStream, type Target } from './failures.ts'
import { Refused, readRefusal } from './refusal.ts'

/** Characters of one event, or of an answer that comes whole: all of it is held in memory. */
const longest = 8 * 1024 * 1024

/** How a provider writes its answers. */
export interface EventReading<Event> {
  readonly target: Target
  /** Called for every piece of the body: a comment is no event, but shows that the server lives. */
  readonly onAlive?: (() => void) | undefined
  /** Reads one event, unless it reports a failure; `null` skips it. */
  readonly read: (message: ServerSentEvent) => Event | null
  /** Reads an answer that came whole, from a server that does not stream; `null` if it is none. */
  readonly readWhole?: (answer: JsonObject) => Event | null
  /** Some servers leave out the line breaks after the last event. Default: it does not count then. */
  readonly mayEndOpen?: boolean
}

/**
 * The events of an answer, up to `[DONE]` or the end of the body. Throws a `ModelError` of kind `protocol` for what
 * is no answer, such as a login page, and for an event that is too long, and of the kind that an event reports.
 */
export async function* readEvents<Event>(
  response: Response,
  { target, onAlive, readWhole, mayEndOpen = false, ...reading }: EventReading<Event>,
): AsyncGenerator<Event, void, undefined> {
  const { headers } = response
  const contentType = headers.get('content-type') ?? 'nothing to read'
  const read = (message: ServerSentEvent): Event | null => {
    if (message.event === 'error') throw new Refused(readRefusal(message.data, headers))
    return reading.read(message)
  }
  const parse = createEventParser(longest)
  let first = ''
  let whole = ''
  let isEmpty = true
  const body = openText(response)
  try {
    for (let text = await body.next(); text !== undefined; text = await body.next()) {
      onAlive?.()
      first ||= text.trimStart().charAt(0)
      if (first === '<') throw await notAStream(target, contentType)
      if (first === '{' && readWhole) {
        whole += text
        if (whole.length > longest) throw garbled('it is too long')
        continue
      }
      for (const message of parse(text)) {
        isEmpty = false
        if (message.data.trim() === '[DONE]') return
        const event = read(message)
        if (event !== null) yield event
      }
    }
  } finally {
    body.close()
  }
  if (whole !== '' && readWhole) {
    const answer = readWhole(parseEvent(whole))
    if (answer === null) throw await notAStream(target, contentType)
    return yield answer
  }
  for (const message of mayEndOpen ? parse('\n\n') : []) {
    isEmpty = false
    // What is left of an event that broke off is no JSON.
    const event = tryJson(message.data) === undefined ? null : read(message)
    if (event !== null) yield event
  }
  if (isEmpty && !contentType.includes('event-stream')) throw await notAStream(target, contentType)
}

/** The object in the data of an event. Throws a `ModelError` if there is none. */
export function parseEvent(data: string): JsonObject {
  const event = tryJson(data)
  if (event === undefined) throw garbled('an event is not JSON')
  if (!isJsonObject(event)) throw garbled('an event is no object')
  return event
}

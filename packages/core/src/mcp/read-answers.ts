import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { hasTooManyValues, isList, type Json, mostValues, tryJson } from '../internal/json.ts'
import { isJson, maxDepth } from '../internal/read-json.ts'
import { yieldToPage } from '../internal/yield-to-page.ts'
import { openText } from '../model/http/body-text.ts'
import { createEventParser, type ServerSentEvent } from '../model/http/event-parser.ts'
import { answeredBy, readMessage } from './json-rpc.ts'
import { McpServerError, outOfRules } from './mcp-server-error.ts'

/** How far a stream has been read. */
export interface Place {
  /** The id of the last event; without one the stream cannot be taken up again. */
  after?: string | undefined
  /** How many milliseconds the server wants to be left alone before the stream is taken up again. */
  pauseMs?: number
}

interface Reading {
  readonly signal: AbortSignal
  /** The request whose answer ends the reading. Default: nothing does but the end of the body. */
  readonly request?: string | number
  /** The text of a message without what it quotes of the request. */
  readonly hide: (text: string) => string
  /** Takes a message. No more of the body is read until the promise resolves, if there is one. */
  readonly deliver: (message: JSONRPCMessage) => Promise<void> | undefined
}

/** Characters of one message: all of it is held in memory. */
const longest = 8 * 1024 * 1024

/**
 * Passes on the messages in a response. Resolves with whether the awaited answer was among them; the rest of the body
 * is not read then. A body that breaks off counts as ended.
 */
export async function readAnswers(
  response: Response,
  place: Place,
  reading: Reading,
): Promise<boolean> {
  const type = response.headers.get('content-type') ?? ''
  const isStream = /^text\/event-stream/i.test(type)
  if (!isStream && !/^application\/json/i.test(type)) {
    void response.body?.cancel().catch(() => undefined)
    throw outOfRules(
      type === ''
        ? 'it answers with nothing'
        : `it answers with ${reading.hide(type).slice(0, 100)}`,
    )
  }
  const body = openText(response)
  // A body that hangs has to be closed for its reader to end.
  reading.signal.addEventListener('abort', body.close, { once: true })
  try {
    return await (isStream ? readStream(place, reading) : readWhole(reading))
  } finally {
    reading.signal.removeEventListener('abort', body.close)
    body.close()
  }

  async function readStream(at: Place, { signal, ...taking }: Reading): Promise<boolean> {
    const parse = createEventParser(longest)
    for (let text = await next(signal); text !== undefined; text = await next(signal)) {
      for (const { id, event = '', retry = '', data } of eventsIn(parse, text)) {
        if (id) at.after = headerOf(id)
        if (/^\d+$/.test(retry)) at.pauseMs = Math.min(Number(retry), longestPauseMs)
        if (data.trim() === '' || (event !== '' && event !== 'message')) continue
        const isAnswered = await handOn(data, taking)
        signal.throwIfAborted()
        if (isAnswered) return true
      }
    }
    return false
  }

  async function readWhole({ signal, ...taking }: Reading): Promise<boolean> {
    let whole = ''
    for (let text = await next(signal); text !== undefined; text = await next(signal)) {
      whole += text
      if (whole.length > longest) throw tooLarge()
    }
    return handOn(whole, taking)
  }

  async function next(signal: AbortSignal): Promise<string | undefined> {
    const text = await body.next().catch(() => undefined)
    signal.throwIfAborted()
    return text
  }
}

const longestId = 1000
/** The longest pause that a server gets. */
const longestPauseMs = 300_000

/**
 * The id of an event in the form of a header: its UTF-8, with one character for each byte. `undefined` if no header can
 * hold it: then the stream cannot be resumed after this event.
 */
function headerOf(id: string): string | undefined {
  const bytes = new TextEncoder().encode(id.slice(0, longestId + 1))
  const isHeader = bytes.every((byte) => byte === 9 || (byte >= 0x20 && byte !== 0x7f))
  return isHeader && bytes.length <= longestId ? String.fromCharCode(...bytes) : undefined
}

/** The events that end in a piece of text. The parser throws only for an event that is too long. */
function eventsIn(
  parse: (text: string) => readonly ServerSentEvent[],
  text: string,
): readonly ServerSentEvent[] {
  try {
    return parse(text)
  } catch {
    throw tooLarge()
  }
}

async function handOn(
  text: string,
  { request, hide, deliver }: Omit<Reading, 'signal'>,
): Promise<boolean> {
  // Each step over a large message takes its time, so the page has its turn in between.
  if (hasTooManyValues(text)) throw tooLarge()
  const written = tryJson(text)
  await yieldToPage()
  if (written !== undefined && !isJson(written))
    throw outOfRules(
      `a message of it is nested deeper than ${maxDepth} levels, or has a number that is none`,
    )
  await yieldToPage()
  const json = written === undefined ? undefined : hiddenIn(written, hide)
  const all: readonly Json[] = isList(json) ? json : json === undefined ? [] : [json]
  let isAnswered = false
  for (const one of all) {
    await yieldToPage()
    const message = readMessage(one)
    if (message) {
      isAnswered ||= request !== undefined && answeredBy(message) === request
      // Awaited in any case: the SDK's client handles notifications asynchronously, and ignores those that come after
      // the answer.
      await deliver(message)
    } else if (request !== undefined) {
      throw outOfRules('a message of it is none')
    }
  }
  if (all.length === 0 && request !== undefined) throw outOfRules('a message of it is no JSON')
  return isAnswered
}

/** Written again, because a server may write any character of a token in several ways; most messages have none. */
function hiddenIn(message: Json, hide: (text: string) => string): Json | undefined {
  const written = JSON.stringify(message)
  const hidden = hide(written)
  return hidden === written ? message : tryJson(hidden)
}

function tooLarge(): McpServerError {
  return new McpServerError(
    'too_large',
    `The MCP server sent a message of more than 8 MB or ${mostValues} values. Ask it for less at a time.`,
  )
}

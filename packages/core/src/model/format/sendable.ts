import { isList, type Json, type JsonObject } from '../../internal/json.ts'
import {
  type DocumentContent,
  type ImageContent,
  type Message,
  type Part,
  readArgs,
  type SystemMessage,
} from '../../kernel/message.ts'

/** Text that any provider takes: half a surrogate pair would make this and every later request fail. */
export function wellFormed(text: string): string {
  // Nearly every text has no surrogate at all, which is quicker to see.
  return /[\uD800-\uDFFF]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text
}

/** The arguments of a call, with every text and key in them well formed; `{}` for what is no object. */
export function sendableArgs(argsText: string): {
  readonly args: JsonObject
  readonly isAsWritten: boolean
} {
  const reading = readArgs(argsText)
  if (!reading.ok) return { args: {}, isAsWritten: false }
  const mayBeBroken = /[\uD800-\uDFFF]|\\u[dD]/.test(argsText)
  return mayBeBroken
    ? { args: wellFormedObject(reading.args), isAsWritten: false }
    : { args: reading.args, isAsWritten: !isBlank(argsText) }
}

function wellFormedObject(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, field]): [string, Json] => [
      wellFormed(key),
      wellFormedJson(field ?? null),
    ]),
  )
}

function wellFormedJson(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value)
  if (typeof value !== 'object' || value === null) return value
  return isList(value) ? value.map(wellFormedJson) : wellFormedObject(value)
}

/** Whether a text is empty or all white space: providers refuse both. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** A name of letters, digits, `_` and `-`, made from any text. */
export function legalName(name: string, maxLength = 64): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxLength) || '_'
}

/** The system text of a request: not every model takes system messages among the others. */
export function systemText(system: string, messages: readonly Message[]): string {
  const texts = messages
    .filter((message): message is SystemMessage => message.role === 'system')
    .flatMap((message) => message.content.map((part) => part.text))
  return wellFormed([system, ...texts].filter((text) => !isBlank(text)).join('\n\n'))
}

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** A part that every provider can read. */
export type ReadablePart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image'
      readonly mediaType: (typeof imageTypes)[number]
      readonly data: string
    }
  | DocumentContent

/**
 * The parts of a content that every provider reads: without empty texts, and with a note in place of any other part.
 */
export function readableParts(content: readonly Part[]): readonly ReadablePart[] {
  const parts: ReadablePart[] = []
  for (const part of content) {
    if (part.type === 'image') parts.push(readableImage(part))
    else if (part.type === 'document') parts.push(readableDocument(part))
    else if (!isBlank(part.text)) parts.push({ type: 'text', text: wellFormed(part.text) })
  }
  return parts
}

function readableImage({ mediaType, data }: ImageContent): ReadablePart {
  const known = imageTypes.find((type) => type === mediaType)
  if (known && isBase64(data)) return { type: 'image', mediaType: known, data }
  return leftOut('An image', known ? notBase64 : `the model cannot read ${wellFormed(mediaType)}`)
}

/** A document's name comes with every request, so it is cut to this length. */
const longestName = 200

function readableDocument({ type, mediaType, data, name = '' }: DocumentContent): ReadablePart {
  const named = !isBlank(name) ? { name: wellFormed(name.slice(0, longestName)) } : {}
  if (mediaType === 'text/plain') {
    return !isBlank(data)
      ? { type, mediaType, data: wellFormed(data), ...named }
      : leftOut('A document', 'it is empty')
  }
  return isBase64(data) ? { type, mediaType, data, ...named } : leftOut('A document', notBase64)
}

const notBase64 = 'its data is not base64'

function leftOut(what: string, problem: string): ReadablePart {
  return { type: 'text', text: `[${what} was left out: ${problem}.]` }
}

// Looks for one bad character, because matching all good ones is slow for a large image.
function isBase64(data: string): boolean {
  return data !== '' && data.length % 4 === 0 && !/[^A-Za-z0-9+/=]|=(?!=?$)/.test(data)
}

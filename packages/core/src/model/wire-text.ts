import type { Json } from '../internal/json.ts'
import type { ImageContent, Message, Part, SystemMessage } from '../kernel/message.ts'

/** Text that any provider takes: half a surrogate pair would make this and every later request fail. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** The same for every text and key of a value. */
export function wellFormedJson(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(wellFormedJson)
  const entries = Object.entries(value).map(([key, field]): [string, Json] => [
    wellFormed(key),
    wellFormedJson(field ?? null),
  ])
  return Object.fromEntries(entries)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** A text of white space alone is refused like an empty one. */
export function hasInk(text: string): boolean {
  return text.trim() !== ''
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
  return wellFormed([system, ...texts].filter(hasInk).join('\n\n'))
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

/** What can be read of a content: without empty texts, and with a note for every image that cannot. */
export function readableParts(content: readonly Part[]): readonly ReadablePart[] {
  return content.flatMap((part): readonly ReadablePart[] => {
    if (part.type === 'image') return [readableImage(part)]
    return hasInk(part.text) ? [{ type: 'text', text: wellFormed(part.text) }] : []
  })
}

function readableImage({ mediaType, data }: ImageContent): ReadablePart {
  const known = imageTypes.find((type) => type === mediaType)
  if (known && isBase64(data)) return { type: 'image', mediaType: known, data }
  const problem = known
    ? 'its data is not base64'
    : `the model cannot read ${wellFormed(mediaType)}`
  return { type: 'text', text: `[An image was left out: ${problem}.]` }
}

// Asks for a bad character, and not for good ones to the end: that would be slow for a large image.
function isBase64(data: string): boolean {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  const digits = data.slice(0, data.length - padding)
  return digits !== '' && data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(digits)
}

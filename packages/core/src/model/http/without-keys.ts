import type { ModelChunk, OutputFormat } from '../port.ts'
import { redacted, unescaped, without, written } from './redacted.ts'

/** Keys shorter than this are not hidden, because servers that need no key are given plain words as keys. */
const shortestKey = 16

/** The number of characters by which the start of a key is recognised: fewer would match many words. */
const startChars = 4

/** Characters of a delta that are looked through at once, before the page may have its turn. */
const longestPiece = 65_536

/** The text of a block around what was said last. */
interface Growing {
  /** The last characters that were passed on: a key may begin in them. */
  readonly said: string
  /** What is held back, because it may be the start of a key. */
  readonly held: DeltaChunk
}

// The library's type is `any`; a chunk that was written as JSON is read as the same chunk.
const parse: (text: string) => Own<ModelChunk> = JSON.parse
type Own<Chunk> = Chunk extends unknown ? { -readonly [Name in keyof Chunk]: Chunk[Name] } : never

/**
 * Takes the keys out of the chunks of one answer, also a key that comes in pieces, in several deltas. `output`: what is
 * said is JSON, as the arguments of calls are.
 */
export function createKeyFilter(
  keysOf: () => readonly string[],
  output?: OutputFormat,
): (chunks: Iterable<ModelChunk>) => Iterable<ModelChunk> {
  const blocks = new Map<number, Growing>()

  function grow(chunk: DeltaChunk, sent: Keys): readonly ModelChunk[] {
    const { said = '', held } = blocks.get(chunk.contentIndex) ?? {}
    const added = (held?.delta ?? '') + chunk.delta
    // In JSON a key may be written with escapes.
    const isJson = output || chunk.type === 'toolcall_delta'
    const keys = isJson ? sent.map(written) : sent
    const { plain, rest } = isJson ? unescaped(added) : { plain: added, rest: '' }
    const isNear = keys.some((key) => (said + plain).includes(key.slice(0, startChars)))
    const text = said + (isNear ? plain : added.slice(0, added.length - rest.length))
    const found = keys.map((key) => text.indexOf(key)).filter((at) => at >= 0)
    const clean = without(keys, text)
    const from = Math.min(said.length, ...found)
    const to = Math.max(from, startOfKey(clean, keys))
    blocks.set(chunk.contentIndex, {
      said: (isNear ? clean.slice(0, to) : said + plain).slice(1 - startChars),
      held: { ...chunk, delta: clean.slice(to) + rest },
    })
    return to > from ? [{ ...chunk, delta: clean.slice(from, to) }] : []
  }

  return function* (chunks) {
    // A key is read for each request, before its answer comes.
    const keys = keysOf().filter((key) => key.length >= shortestKey)
    for (const chunk of chunks) {
      if ('delta' in chunk) {
        const { delta } = chunk
        for (let at = 0; at < delta.length; at += longestPiece)
          yield* grow({ ...chunk, delta: delta.slice(at, at + longestPiece) }, keys)
        continue
      }
      // The block ends here, so the text that was held back is no key.
      const held = 'contentIndex' in chunk && blocks.get(chunk.contentIndex)?.held
      if (held && held.delta !== '') yield held
      const json = JSON.stringify(chunk)
      const clean = without(keys.map(written), json)
      // Most quote no key, and reading many fields again would hold the page.
      const own = json === clean ? { ...chunk } : parse(clean)
      // It becomes an error.
      if ('explanation' in own) own.explanation = redacted(own.explanation, { secrets: keysOf })
      yield own
    }
  }
}

type Keys = readonly string[]

/** The index from which on a text may be the start of a key; its length if it has no such end. */
function startOfKey(text: string, keys: Keys): number {
  let start = text.length
  for (const key of keys) {
    const first = key.slice(0, startChars)
    let at = text.indexOf(first, Math.max(0, text.length - key.length + 1))
    while (at >= 0 && !key.startsWith(text.slice(at))) at = text.indexOf(first, at + 1)
    if (at >= 0) start = Math.min(start, at)
  }
  return start
}

type DeltaChunk = Extract<ModelChunk, { readonly delta: string }>

import { isJsonObject, type Json, type JsonObject, mostValues } from '../../internal/json.ts'
import { expectText, textIn } from '../http/fields.ts'
import { checked, valueIn } from '../http/read-events.ts'
import { garbled, type ModelChunk } from '../port.ts'

/** A block of an answer that is being read. */
export interface Block {
  readonly start: readonly ModelChunk[]
  /** Adds a delta. A delta of an unknown kind is skipped, unless the block is of an unknown kind, too. */
  readonly grow: (delta: JsonObject) => readonly ModelChunk[]
  readonly end: () => readonly ModelChunk[]
}

/**
 * Counts a text that is kept until the end of its block, together with those of all blocks of the answer, and returns
 * it.
 */
type Kept = (text: string) => string

/** Starts the block with this index. Whether it fits the others is checked with the chunks of every provider. */
export function startBlock(contentIndex: number, content: JsonObject, kept: Kept): Block {
  const grow = (delta: JsonObject) => deltaChunks(contentIndex, delta)
  switch (content['type']) {
    case 'text': {
      const first = grow({ type: 'text_delta', text: content['text'] ?? '' })
      return {
        start: [{ type: 'text_start', contentIndex }, ...first],
        grow,
        end: () => [{ type: 'text_end', contentIndex }],
      }
    }
    case 'redacted_thinking': {
      const redacted = expectText(content, 'data')
      return {
        start: [{ type: 'thinking_start', contentIndex, redacted }],
        grow,
        end: () => [{ type: 'thinking_end', contentIndex }],
      }
    }
    case 'thinking':
      return startThinking(contentIndex, content, kept)
    case 'tool_use':
      return startCall(contentIndex, content, kept)
    default:
      return startOpaque(contentIndex, content, kept)
  }
}

function deltaChunks(contentIndex: number, delta: JsonObject): readonly ModelChunk[] {
  switch (delta['type']) {
    case 'text_delta':
      return unlessEmpty({ type: 'text_delta', contentIndex, delta: expectText(delta, 'text') })
    case 'thinking_delta': {
      const text = expectText(delta, 'thinking')
      return unlessEmpty({ type: 'thinking_delta', contentIndex, delta: text })
    }
    case 'input_json_delta': {
      const text = expectText(delta, 'partial_json')
      return unlessEmpty({ type: 'toolcall_delta', contentIndex, delta: text })
    }
    default:
      return []
  }
}

function unlessEmpty(
  chunk: Extract<ModelChunk, { readonly delta: string }>,
): readonly ModelChunk[] {
  return chunk.delta === '' ? [] : [chunk]
}

function startThinking(contentIndex: number, content: JsonObject, kept: Kept): Block {
  let signature = kept(textIn(content, 'signature'))
  const first = { type: 'thinking_delta', thinking: content['thinking'] ?? '' }
  return {
    start: [{ type: 'thinking_start', contentIndex }, ...deltaChunks(contentIndex, first)],
    grow: (delta) => {
      if (delta['type'] === 'signature_delta') signature += kept(expectText(delta, 'signature'))
      return deltaChunks(contentIndex, delta)
    },
    end: () => [{ type: 'thinking_end', contentIndex, ...(signature !== '' && { signature }) }],
  }
}

function startCall(contentIndex: number, content: JsonObject, kept: Kept): Block {
  // Some servers send the arguments whole with the start, and some send them once more as deltas.
  let whole = kept(wholeInput(content['input']))
  const toolName = expectText(content, 'name')
  const providerId = expectText(content, 'id')
  return {
    start: [{ type: 'toolcall_start', contentIndex, toolName, providerId }],
    grow: (delta) => {
      const chunks = deltaChunks(contentIndex, delta)
      if (chunks.length > 0) whole = ''
      return chunks
    },
    end: () => [
      ...unlessEmpty({ type: 'toolcall_delta', contentIndex, delta: whole }),
      { type: 'toolcall_end', contentIndex },
    ],
  }
}

function wholeInput(input: Json | undefined): string {
  return isJsonObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : ''
}

/** A block of a kind that is not known here. It is kept as it came, for the vendor alone. */
function startOpaque(contentIndex: number, content: JsonObject, kept: Kept): Block {
  // Copied only once, because a copy for every delta would hold the page if the block has many fields.
  const data = new Map(Object.entries(content))
  let inputText = ''
  let isGrown = false
  return {
    start: [{ type: 'opaque_start', contentIndex, data: content }],
    grow: (delta) => {
      if (delta['type'] === 'input_json_delta') {
        inputText += kept(expectText(delta, 'partial_json'))
        return []
      }
      kept(JSON.stringify(delta))
      for (const [key, value] of Object.entries(delta)) {
        if (key === 'type') continue
        isGrown = true
        const before = data.get(key)
        // Texts of a delta continue the field of the same name, all else replaces it.
        const isLonger = typeof value === 'string' && typeof before === 'string'
        data.set(key, isLonger ? before + value : value)
      }
      if (data.size > mostValues) throw garbled('a block has too many fields')
      return []
    },
    end: () => {
      // Arguments that were cut off are left out, so that nothing can run them.
      const input = valueIn(checked(inputText))
      if (input !== undefined) data.set('input', input)
      const hasChanged = isGrown || input !== undefined
      return [
        { type: 'opaque_end', contentIndex, ...(hasChanged && { data: Object.fromEntries(data) }) },
      ]
    },
  }
}

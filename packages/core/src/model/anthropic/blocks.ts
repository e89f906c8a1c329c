import type { Json, JsonObject } from '../../internal/json.ts'
import { isJsonObject, parseJson } from '../../internal/json.ts'
import { garbled } from '../http/failures.ts'
import type { ModelChunk } from '../port.ts'
import { expectText, textIn } from './fields.ts'

/** A block of an answer that is being read. `opaque` is every kind that is not known here. */
export interface Block {
  readonly kind: 'text' | 'thinking' | 'toolcall' | 'opaque'
  readonly contentIndex: number
  open: boolean
  signature: string
  /** Arguments that came whole with the start, as some servers send them. */
  wholeInput: string
  /** An opaque block as it is so far, and arguments that came for it. */
  data: JsonObject
  inputText: string
  hasGrown: boolean
}

/** Begins the block with this index. */
export function startBlock(
  contentIndex: number,
  content: JsonObject,
): { readonly block: Block; readonly chunks: readonly ModelChunk[] } {
  const kind = kindOf(content['type'])
  const block: Block = {
    kind,
    contentIndex,
    open: true,
    signature: '',
    wholeInput: '',
    data: content,
    inputText: '',
    hasGrown: false,
  }
  return { block, chunks: startChunks(block, content) }
}

function kindOf(type: Json | undefined): Block['kind'] {
  if (type === 'text') return 'text'
  if (type === 'thinking' || type === 'redacted_thinking') return 'thinking'
  return type === 'tool_use' ? 'toolcall' : 'opaque'
}

function startChunks(block: Block, content: JsonObject): readonly ModelChunk[] {
  const { contentIndex } = block
  switch (block.kind) {
    case 'text':
      return [{ type: 'text_start', contentIndex }, ...growText(block, content['text'] ?? '')]
    case 'thinking':
      return startThinking(block, content)
    case 'toolcall':
      block.wholeInput = wholeInput(content['input'])
      return [
        {
          type: 'toolcall_start',
          contentIndex,
          toolName: textIn(content, 'name'),
          providerId: textIn(content, 'id'),
        },
      ]
    case 'opaque':
      return [{ type: 'opaque_start', contentIndex, data: content }]
  }
}

function startThinking(block: Block, content: JsonObject): readonly ModelChunk[] {
  const { contentIndex } = block
  if (content['type'] === 'redacted_thinking') {
    return [{ type: 'thinking_start', contentIndex, redacted: textIn(content, 'data') }]
  }
  if (typeof content['signature'] === 'string') block.signature = content['signature']
  return [
    { type: 'thinking_start', contentIndex },
    ...growThinking(block, content['thinking'] ?? ''),
  ]
}

function wholeInput(input: Json | undefined): string {
  const isGiven = input !== undefined && isJsonObject(input) && Object.keys(input).length > 0
  try {
    return isGiven ? JSON.stringify(input) : ''
  } catch {
    throw garbled('the input of a call is too deep')
  }
}

/** Adds a delta. Of one that is not known nothing is kept, unless its block is not known either. */
export function growBlock(block: Block, delta: JsonObject): readonly ModelChunk[] {
  if (block.kind === 'opaque') return growOpaque(block, delta)
  switch (delta['type']) {
    case 'text_delta':
      return growText(expectKind(block, 'text'), delta['text'])
    case 'thinking_delta':
      return growThinking(expectKind(block, 'thinking'), delta['thinking'])
    case 'signature_delta':
      expectKind(block, 'thinking').signature += textIn(delta, 'signature')
      return []
    case 'input_json_delta': {
      const text = textIn(delta, 'partial_json')
      if (text === '') return []
      expectKind(block, 'toolcall').wholeInput = ''
      return [{ type: 'toolcall_delta', contentIndex: block.contentIndex, delta: text }]
    }
    default:
      return []
  }
}

function expectKind(block: Block, kind: Block['kind']): Block {
  if (block.kind !== kind) throw garbled(`a ${kind} delta is for a ${block.kind} block`)
  return block
}

function growText({ contentIndex }: Block, text: Json | undefined): readonly ModelChunk[] {
  const delta = expectText(text, 'the text of a delta')
  return delta === '' ? [] : [{ type: 'text_delta', contentIndex, delta }]
}

function growThinking({ contentIndex }: Block, text: Json | undefined): readonly ModelChunk[] {
  const delta = expectText(text, 'the text of a delta')
  return delta === '' ? [] : [{ type: 'thinking_delta', contentIndex, delta }]
}

/** Texts of a delta continue the field of the same name, all else replaces it. */
function growOpaque(block: Block, { type, ...fields }: JsonObject): readonly ModelChunk[] {
  if (type === 'input_json_delta') {
    block.inputText += textIn(fields, 'partial_json')
    return []
  }
  const grown = Object.entries(fields).map(([key, value]) => {
    const before = block.data[key]
    const isLonger = typeof value === 'string' && typeof before === 'string'
    return [key, isLonger ? before + value : value] as const
  })
  block.data = { ...block.data, ...Object.fromEntries(grown) }
  block.hasGrown = true
  return []
}

/** Ends a block, with what could not be said before. */
export function endBlock(block: Block): readonly ModelChunk[] {
  const { contentIndex, signature, wholeInput: delta } = block
  block.open = false
  switch (block.kind) {
    case 'text':
      return [{ type: 'text_end', contentIndex }]
    case 'thinking':
      return [{ type: 'thinking_end', contentIndex, ...(signature !== '' && { signature }) }]
    case 'toolcall': {
      const end = { type: 'toolcall_end', contentIndex } as const
      return delta === '' ? [end] : [{ type: 'toolcall_delta', contentIndex, delta }, end]
    }
    case 'opaque':
      finishOpaque(block)
      return [{ type: 'opaque_end', contentIndex, ...(block.hasGrown && { data: block.data }) }]
  }
}

/** Arguments that were cut off are left out: nobody may run them. */
function finishOpaque(block: Block): void {
  if (block.inputText === '') return
  try {
    block.data = { ...block.data, input: parseJson(block.inputText) }
    block.hasGrown = true
  } catch {
    // It stays as it was before.
  }
}

import { isObject } from '../internal/json.ts'
import { isJson } from '../internal/read-json.ts'
import type { AssistantMessageEvent } from '../kernel/events.ts'
import type { Usage } from '../kernel/message.ts'
import { type FinishReason, garbled, type ModelChunk, mostOfAnswer, tooMany } from './port.ts'

/** What a chunk means for the message: one step of its content, or its end. */
export type Accumulated =
  | { readonly kind: 'step'; readonly step: AssistantMessageEvent }
  | {
      readonly kind: 'finish'
      readonly stopReason: FinishReason
      readonly usage: Usage
      readonly explanation?: string
    }

/**
 * Reads the chunks of one answer in order. Gives every tool call an id of ours, and throws a `ModelError`: of
 * kind `protocol` for a chunk that fits nothing before it, and of kind `too_large` for an answer without measure.
 */
export function createAccumulator(newCallId: () => string): (chunk: ModelChunk) => Accumulated {
  const open = new Map<number, string>()
  const size = { blocks: 0, calls: 0, characters: 0 }

  function count(what: keyof typeof size, added: number): void {
    size[what] += added
    if (size[what] > mostOfAnswer[what]) throw tooMany(what)
  }

  function start(chunk: BlockChunk): void {
    const { type, contentIndex } = checked(chunk)
    if (contentIndex !== size.blocks) throw garbled(`block ${contentIndex} is out of order`)
    open.set(contentIndex, kindOf(type))
    count('blocks', 1)
    if (type === 'toolcall_start') count('calls', 1)
    count('characters', JSON.stringify(chunk).length)
  }

  function grow(chunk: BlockChunk): void {
    const { type, contentIndex } = checked(chunk)
    const kind = kindOf(type)
    if (open.get(contentIndex) !== kind) throw garbled(`block ${contentIndex} is no open ${kind}`)
    count('characters', 'delta' in chunk ? chunk.delta.length : JSON.stringify(chunk).length)
  }

  function end(chunk: BlockChunk): void {
    grow(chunk)
    open.delete(chunk.contentIndex)
  }

  return (chunk) => {
    switch (chunk?.type) {
      case 'text_start':
      case 'thinking_start':
      case 'opaque_start':
        start(chunk)
        return { kind: 'step', step: chunk }
      case 'toolcall_start':
        start(chunk)
        return { kind: 'step', step: { ...chunk, toolCallId: newCallId() } }
      case 'text_delta':
      case 'thinking_delta':
      case 'toolcall_delta':
        grow(chunk)
        return { kind: 'step', step: chunk }
      case 'text_end':
      case 'thinking_end':
      case 'toolcall_end':
      case 'opaque_end':
        end(chunk)
        return { kind: 'step', step: chunk }
      case 'finish':
        // The input of a call that is still open may be cut off: it must not run.
        if (open.size > 0) throw garbled('it finished inside a block')
        count('characters', chunk.explanation?.length ?? 0)
        return finish(chunk)
      default:
        return refuse(chunk)
    }
  }
}

const finishReasons: ReadonlySet<FinishReason> = new Set<FinishReason>([
  'stop',
  'tool_use',
  'max_tokens',
  'refusal',
  'pause_turn',
  'context_overflow',
])

const texts = ['delta', 'toolName', 'providerId', 'redacted', 'signature', 'explanation']

// An application may bring its own model, and its chunks go into events, so they are checked.
function checked<Chunk extends ModelChunk>(chunk: Chunk): Chunk {
  const { type } = chunk
  const fields: { readonly [name: string]: unknown } = chunk
  const lacks = (name: string): boolean => fields[name] === undefined
  const isFit =
    !lacks(neededBy(type)) &&
    texts.every((name) => lacks(name) || typeof fields[name] === 'string') &&
    (lacks('data') || isObject(fields['data'])) &&
    (type === 'finish' || isJson(fields))
  if (!isFit) throw garbled(`a chunk is no ${type}`)
  return chunk
}

function neededBy(type: ModelChunk['type']): string {
  if (type.endsWith('_delta')) return 'delta'
  if (type === 'toolcall_start') return 'toolName'
  if (type === 'finish') return 'usage'
  return type === 'opaque_start' ? 'data' : 'type'
}

function finish(chunk: FinishChunk): Accumulated {
  const { stopReason, usage, explanation } = checked(chunk)
  if (!finishReasons.has(stopReason)) throw garbled('it stopped for no known reason')
  return {
    kind: 'finish',
    stopReason,
    usage: counted(usage),
    ...(explanation !== undefined && { explanation }),
  }
}

// A figure that is not a number counts as not reported, because it would make the sum invalid.
function counted({ inputTokens, outputTokens, isCostReported, ...others }: Usage): Usage {
  return {
    inputTokens: isCount(inputTokens) ? inputTokens : 0,
    outputTokens: isCount(outputTokens) ? outputTokens : 0,
    ...Object.fromEntries(Object.entries(others).filter(([, figure]) => isCount(figure))),
    ...(isCostReported === true && { isCostReported }),
  }
}

function isCount(figure: unknown): boolean {
  return typeof figure === 'number' && Number.isFinite(figure) && figure >= 0
}

type FinishChunk = Extract<ModelChunk, { readonly type: 'finish' }>
type BlockChunk = Exclude<ModelChunk, { readonly type: 'finish' }>

/** `text` of `text_delta`. */
function kindOf(type: BlockChunk['type']): string {
  return type.replace(/_.*/, '')
}

function refuse(_unknown: never): never {
  throw garbled('a chunk is of no known type')
}

import { defined } from '../internal/defined.ts'
import { isObject } from '../internal/json.ts'
import { type Budget, readJson } from '../internal/read-json.ts'
import type { AssistantMessageEvent } from '../kernel/events.ts'
import type { Usage } from '../kernel/message.ts'
import {
  type FinishReason,
  garbled,
  isName,
  type ModelChunk,
  mostOfAnswer,
  tooMany,
} from './port.ts'

/** What a chunk means for the message: one step of its content, or its end. */
export type Accumulated = AssistantMessageEvent | FinishChunk

/** More characters than any chunk has: what one costs is counted here, and limited with those of the whole answer. */
const wholeBudget = Number.MAX_SAFE_INTEGER

/**
 * Reads the chunks of one answer in order. Gives every tool call an id of ours, and throws a `ModelError`: of kind
 * `protocol` for a chunk that does not follow from those before it, and of kind `too_large` for an answer beyond all
 * measure.
 */
export function createAccumulator(newCallId: () => string): (chunk: ModelChunk) => Accumulated {
  const open = new Map<number, string>()
  const size = { blocks: 0, calls: 0, characters: 0 }

  function count(what: keyof typeof size, added: number): void {
    size[what] += added
    if (size[what] > mostOfAnswer[what]) throw tooMany(what)
  }

  /** `characters`: about as many as it has in JSON. */
  function add(chunk: BlockChunk, characters: number): void {
    const { type, contentIndex } = chunk
    const [kind = '', phase] = type.split('_')
    if (phase === 'start') {
      if (contentIndex !== size.blocks) throw garbled(`block ${contentIndex} is out of order`)
      open.set(contentIndex, kind)
      count('blocks', 1)
      if (kind === 'toolcall') count('calls', 1)
    } else if (open.get(contentIndex) !== kind) {
      throw garbled(`block ${contentIndex} is no open ${kind}`)
    }
    if (phase === 'end') open.delete(contentIndex)
    count('characters', 'delta' in chunk ? chunk.delta.length : characters)
  }

  return (given) => {
    const budget = { left: wholeBudget }
    const chunk = ownChunk(given, budget)
    if (chunk.type !== 'finish') {
      add(chunk, wholeBudget - budget.left)
      return chunk.type === 'toolcall_start' ? { ...chunk, toolCallId: newCallId() } : chunk
    }
    // The input of a call that is still open may be cut off: it must not run.
    if (open.size > 0) throw garbled('it finished inside a block')
    count('characters', chunk.explanation?.length ?? 0)
    if (!finishReasons.has(chunk.stopReason)) throw garbled('it stopped for no known reason')
    return chunk
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

type Fields = { readonly [name: string]: unknown }

/**
 * A copy, because chunks go into events and a model of the app may use its object again; checked, because such a model
 * may yield anything.
 */
function ownChunk(given: unknown, budget: Budget): ModelChunk {
  let type: unknown
  try {
    if (isObject(given)) {
      type = given['type']
      const chunk = type === 'finish' ? ownFinish(given) : readJson(given, budget)
      if (isChunk(chunk)) return chunk
    }
  } catch {
    // Reading a field of the chunk has thrown.
  }
  throw garbled(isKnown(type) ? `a chunk is no ${type}` : 'a chunk is of no known type')
}

// The figures of a finish need not be JSON: those that are no numbers count as not reported.
function ownFinish({ type, stopReason, usage, explanation }: Fields): Fields {
  const figures = isObject(usage) ? usageOf(usage) : undefined
  return { type, stopReason, usage: figures, explanation }
}

const neededBy: { readonly [Type in ModelChunk['type']]: string } = {
  text_start: 'type',
  text_delta: 'delta',
  text_end: 'type',
  thinking_start: 'type',
  thinking_delta: 'delta',
  thinking_end: 'type',
  toolcall_start: 'toolName',
  toolcall_delta: 'delta',
  toolcall_end: 'type',
  opaque_start: 'data',
  opaque_end: 'type',
  finish: 'usage',
}

function isKnown(type: unknown): type is ModelChunk['type'] {
  return typeof type === 'string' && Object.hasOwn(neededBy, type)
}

const texts = ['delta', 'toolName', 'providerId', 'redacted', 'signature', 'explanation']

function isChunk(value: unknown): value is ModelChunk {
  if (!isObject(value) || !isKnown(value['type'])) return false
  const { [neededBy[value['type']]]: needed, toolName, data } = value
  return (
    needed !== undefined &&
    texts.every((name) => value[name] === undefined || typeof value[name] === 'string') &&
    (toolName === undefined || isName(toolName)) &&
    (data === undefined || isObject(data))
  )
}

// A figure that is not a number counts as not reported, and so does one that no server can mean: a sum of them has to
// stay a number that JSON can write.
function usageOf(given: Fields): Usage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost } = given
  return {
    inputTokens: countOf(inputTokens) ?? 0,
    outputTokens: countOf(outputTokens) ?? 0,
    ...defined({
      cacheReadTokens: countOf(cacheReadTokens),
      cacheWriteTokens: countOf(cacheWriteTokens),
      cost: countOf(cost),
      isCostReported: given['isCostReported'] === true ? true : undefined,
    }),
  }
}

function countOf(figure: unknown): number | undefined {
  // Adding 0 makes 0 of -0, which JSON does not have.
  return isCount(figure) ? figure + 0 : undefined
}

function isCount(figure: unknown): figure is number {
  return typeof figure === 'number' && figure >= 0 && figure <= Number.MAX_SAFE_INTEGER
}

type FinishChunk = Extract<ModelChunk, { readonly type: 'finish' }>
type BlockChunk = Exclude<ModelChunk, { readonly type: 'finish' }>

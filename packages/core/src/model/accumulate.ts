import type { AssistantMessageEvent } from '../kernel/events.ts'
import type { Usage } from '../kernel/message.ts'
import type { FinishReason, ModelChunk } from './port.ts'
import { ModelError } from './port.ts'

/** What a chunk means for the message: one step of its content, or its end. */
export type Accumulated =
  | { readonly kind: 'step'; readonly step: AssistantMessageEvent }
  | { readonly kind: 'finish'; readonly stopReason: FinishReason; readonly usage: Usage }

type Block = 'text' | 'thinking' | 'toolcall'

/**
 * Reads the chunks of one answer in order. Gives every tool call an id of ours, and throws a `ModelError` of
 * kind `protocol` for a chunk that fits nothing before it.
 */
export function createAccumulator(newCallId: () => string): (chunk: ModelChunk) => Accumulated {
  const open = new Map<number, Block>()
  let started = 0

  function start({ contentIndex }: BlockChunk, block: Block): void {
    if (contentIndex !== started) throw garbled(`block ${contentIndex} is out of order`)
    open.set(contentIndex, block)
    started += 1
  }

  function grow({ contentIndex }: BlockChunk, block: Block): void {
    if (open.get(contentIndex) !== block) throw garbled(`block ${contentIndex} is no open ${block}`)
  }

  function end(chunk: BlockChunk, block: Block): void {
    grow(chunk, block)
    open.delete(chunk.contentIndex)
  }

  return (chunk) => {
    switch (chunk?.type) {
      case 'text_start':
        start(chunk, 'text')
        return { kind: 'step', step: chunk }
      case 'thinking_start':
        start(chunk, 'thinking')
        return { kind: 'step', step: chunk }
      case 'toolcall_start':
        start(chunk, 'toolcall')
        return { kind: 'step', step: { ...chunk, toolCallId: newCallId() } }
      case 'text_delta':
        grow(chunk, 'text')
        return { kind: 'step', step: chunk }
      case 'thinking_delta':
        grow(chunk, 'thinking')
        return { kind: 'step', step: chunk }
      case 'toolcall_delta':
        grow(chunk, 'toolcall')
        return { kind: 'step', step: chunk }
      case 'text_end':
        end(chunk, 'text')
        return { kind: 'step', step: chunk }
      case 'thinking_end':
        end(chunk, 'thinking')
        return { kind: 'step', step: chunk }
      case 'toolcall_end':
        end(chunk, 'toolcall')
        return { kind: 'step', step: chunk }
      case 'finish':
        // The input of a call that is still open may be cut off: it must not run.
        if (open.size > 0) throw garbled('it finished inside a block')
        return { kind: 'finish', stopReason: chunk.stopReason, usage: chunk.usage }
      default:
        return refuse(chunk)
    }
  }
}

function refuse(_unknown: never): never {
  throw garbled('a chunk is of no known type')
}

interface BlockChunk {
  readonly contentIndex: number
}

function garbled(what: string): ModelError {
  return new ModelError({
    kind: 'protocol',
    message: `The model's answer was garbled (${what}). Try again.`,
    retryable: true,
  })
}

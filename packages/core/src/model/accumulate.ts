import { assertNever } from '../internal/assert-never.ts'
import type { AssistantMessageEvent } from '../kernel/events.ts'
import type { StopReason, Usage } from '../kernel/message.ts'
import type { ModelChunk } from './port.ts'
import { ModelError } from './port.ts'

/** What a chunk means for the message: one step of its content, or its end. */
export type Accumulated =
  | { readonly kind: 'step'; readonly step: AssistantMessageEvent }
  | { readonly kind: 'finish'; readonly stopReason: StopReason; readonly usage: Usage }

type Block = 'text' | 'thinking' | 'toolcall'

/**
 * Reads the chunks of one answer in order. Gives every tool call an id of ours, and throws a `ModelError` of
 * kind `protocol` for a chunk that fits nothing before it.
 */
export function createAccumulator(newCallId: () => string): (chunk: ModelChunk) => Accumulated {
  const blocks: Block[] = []

  function start(chunk: { readonly contentIndex: number }, block: Block): void {
    if (chunk.contentIndex !== blocks.length)
      throw garbled(`block ${chunk.contentIndex} is out of order`)
    blocks.push(block)
  }

  function expect(chunk: { readonly contentIndex: number }, block: Block): void {
    if (blocks[chunk.contentIndex] !== block)
      throw garbled(`block ${chunk.contentIndex} is no ${block}`)
  }

  return (chunk) => {
    switch (chunk.type) {
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
      case 'text_end':
        expect(chunk, 'text')
        return { kind: 'step', step: chunk }
      case 'thinking_delta':
      case 'thinking_end':
        expect(chunk, 'thinking')
        return { kind: 'step', step: chunk }
      case 'toolcall_delta':
      case 'toolcall_end':
        expect(chunk, 'toolcall')
        return { kind: 'step', step: chunk }
      case 'finish':
        return { kind: 'finish', stopReason: chunk.stopReason, usage: chunk.usage }
      default:
        return assertNever(chunk)
    }
  }
}

function garbled(what: string): ModelError {
  return new ModelError({
    kind: 'protocol',
    message: `The model's answer was garbled (${what}). Try again.`,
    retryable: true,
  })
}

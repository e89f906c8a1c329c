import type { KeyedPart } from './answer-parts.ts'
import { chunksFor, growth, isUndecided } from './part-chunks.ts'
import type { SdkChunk } from './sdk-types.ts'

/**
 * Says in chunks what has changed in an answer since the last look. `shown`: what the chat shows already. Chunks take
 * back an attempt that another one replaces, and a call that is run once more while its step is the last one. They
 * cannot express changes before that.
 */
export function createAnswerFollower(
  shown: readonly KeyedPart[] = [],
): (next: readonly KeyedPart[]) => readonly SdkChunk[] {
  let parts: readonly KeyedPart[] = shown
  /** Whether the chat shows the start of a step whose answer has been taken back. */
  let isStepEmpty = false

  function append(added: readonly KeyedPart[]): readonly SdkChunk[] {
    const chunks = added.flatMap((one) => {
      if (one.part.type !== 'step-start') return chunksFor(one)
      const isThere = isStepEmpty
      isStepEmpty = false
      return isThere ? [] : chunksFor(one)
    })
    parts = [...parts, ...added]
    return chunks
  }

  /** Takes the last step back and shows its new parts. */
  function redo(start: number, next: readonly KeyedPart[]): readonly SdkChunk[] {
    isStepEmpty = true
    parts = parts.slice(0, start)
    return [{ type: 'reset-step' }, ...append(next.slice(start))]
  }

  return (given) => {
    const next = given.map((one, index) => {
      const before = parts[index]
      return before && isUndecided(before, one) ? before : one
    })
    const lastStep = parts.findLastIndex(({ part }) => part.type === 'step-start')
    const chunks: SdkChunk[] = []
    const now: KeyedPart[] = []
    for (const [index, before] of parts.entries()) {
      const one = next[index]
      const grown = one?.key === before.key ? growth(before, one) : null
      if (!grown && index >= lastStep) return [...chunks, ...redo(lastStep, next)]
      if (!grown && one?.key !== before.key) return []
      now.push(grown && one ? one : before)
      chunks.push(...(grown ?? []))
    }
    parts = now
    return [...chunks, ...append(next.slice(parts.length))]
  }
}

import type { Clock } from '../../internal/clock.ts'
import { lengthOf } from '../../kernel/length.ts'
import type { AssistantMessage } from '../../kernel/message.ts'
import type { SessionPorts } from './ports.ts'

/** Keeps in the log what has been written of an answer, so that an end of the page does not lose it. */
export interface Checkpoints {
  /** Writes a checkpoint now, if there is anything new. */
  readonly write: () => void
  readonly stop: () => void
}

/** The fewest milliseconds between two checkpoints. */
const pauseMs = 1000

/**
 * A checkpoint holds the whole answer, so an answer with more characters than this waits until it has grown by an
 * eighth.
 */
const smallChars = 16_000

export function createCheckpoints(
  { state, subscribe, write }: Pick<SessionPorts, 'state' | 'subscribe' | 'write'>,
  clock: Clock,
): Checkpoints {
  let written: AssistantMessage | null = null
  let cancelTimer: (() => void) | null = null

  function checkpoint(isDue: (chars: number, before: number) => boolean): void {
    const answer = openAnswer()
    if (!answer || answer === written || answer.content.length === 0) return
    const before = written?.id === answer.id ? lengthOf(written) : 0
    if (!isDue(lengthOf(answer), before)) return
    written = answer
    write({ type: 'message_checkpoint', messageId: answer.id, content: answer.content })
  }

  function openAnswer(): AssistantMessage | null {
    const { run } = state()
    return run?.step.kind === 'asking' ? run.step.message : null
  }

  function stopTimer(): void {
    cancelTimer?.()
    cancelTimer = null
  }

  const unsubscribe = subscribe(({ type, agentId }) => {
    if (agentId !== undefined) return
    if (type === 'message_end') stopTimer()
    if (type !== 'message_update') return
    cancelTimer ??= clock.setTimer(pauseMs, () => {
      cancelTimer = null
      checkpoint((chars, before) => chars < smallChars || chars > before * 1.125)
    })
  })
  return {
    write: () => checkpoint(() => true),
    stop: () => {
      unsubscribe()
      stopTimer()
    },
  }
}

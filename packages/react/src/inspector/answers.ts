import type { AgentEvent, Usage } from '@offthread/core'

/** An answer of a model, and what it used. */
export interface AnswerUsage {
  /** The number of the event that ended it, in the log. */
  readonly position: number
  readonly messageId: string
  readonly model: string
  /** What the provider reported; `null`: nothing. */
  readonly usage: Usage | null
}

interface Followed {
  readonly answers: AnswerUsage[]
  read: number
}

const followed = new WeakMap<readonly AgentEvent[], Followed>()

/** The answers among the first events of a log. A log only grows, so each event is read once. */
export function answersIn(events: readonly AgentEvent[], length: number): readonly AnswerUsage[] {
  const known = followed.get(events) ?? { answers: [], read: 0 }
  followed.set(events, known)
  for (; known.read < length; known.read += 1) {
    const event = events[known.read]
    if (event?.type !== 'message_end' || event.message.role !== 'assistant') continue
    const { id, model, usage } = event.message
    const position = known.read + 1
    known.answers.push({ position, messageId: id, model: model.id, usage: reported(usage) })
  }
  return known.answers.filter(({ position }) => position <= length)
}

/** Every model reads something: a usage of zero was not measured. */
function reported(usage: Usage | undefined): Usage | null {
  const isSaid = usage !== undefined && usage.inputTokens + usage.outputTokens > 0
  return isSaid ? usage : null
}

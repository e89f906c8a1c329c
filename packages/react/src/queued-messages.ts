import { type Agent, type AgentState, type Part, textOf } from '@offthread/core'

/** A message that waits, and what can be done about it. */
export interface QueuedMessage {
  /** `'steering'` goes to the model at the next checkpoint, `'followUp'` when the run would end. */
  readonly queue: 'steering' | 'followUp'
  /** What was said. */
  readonly content: readonly Part[]
  /** The text of it. */
  readonly text: string
  /** Takes it back. Does nothing if it was delivered meanwhile. */
  readonly remove: () => void
  /** Has a follow-up said at the next checkpoint of the run instead: calls that have not started are skipped then. */
  readonly steer: () => void
}

/** What waits, in the order in which it will be said. */
export function queuedMessages(
  agent: Agent,
  { steering, followUp }: AgentState['queues'],
): readonly QueuedMessage[] {
  const itemOf = (queue: QueuedMessage['queue']) => (content: readonly Part[], index: number) => ({
    queue,
    content,
    text: textOf(content),
    remove: () => agent.takeQueued({ queue, index, content }),
    steer: () => agent.takeQueued({ queue, index, content, to: 'steering' }),
  })
  return [...steering.map(itemOf('steering')), ...followUp.map(itemOf('followUp'))]
}

import { type Agent, type AgentState, type Part, textOf } from '@offthread/core'

/** A queued message, and the commands on it. */
export interface QueuedMessage {
  /** `'steering'` goes to the model at the next checkpoint, `'followUp'` when the run would end. */
  readonly queue: 'steering' | 'followUp'
  /** The content of the message. */
  readonly content: readonly Part[]
  /** The text of the content. */
  readonly text: string
  /** Takes it back. Does nothing if it was delivered meanwhile. */
  readonly remove: () => void
  /**
   * Makes a follow-up a steering message: it is delivered at the next checkpoint, where calls that have not started are
   * skipped.
   */
  readonly steer: () => void
}

/** The queued messages, in the order in which they will be delivered. */
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

import type { Agent } from '@offthread/core'
import { useAgentSelector } from '@offthread/react'
import type { QueuedMessage } from '@offthread/react/composer'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

export interface QueueChipProps {
  readonly agent: Agent
  readonly message: QueuedMessage
  /** Sends the message if no run is active. Default: the agent continues. */
  readonly onSendNow?: (() => void) | undefined
  /** How a text of the message is shown. */
  readonly wordsOf?: ((text: string) => string) | undefined
}

/** A message that waits: what it says, when it will be said, and a way to say it now or take it back. */
export function QueueChip(props: QueueChipProps): ReactNode {
  const { agent, message } = props
  const isActive = useAgentSelector(agent, (state) => state.isActive)
  const canContinue = useAgentSelector(agent, (state) => state.can.continue)
  const canRemove = useAgentSelector(agent, (state) => state.can.send)
  const text = shortText(message, props.wordsOf)
  const isSteering = message.queue === 'steering'
  return (
    <li className="row small queue-chip">
      <Icon name="queue" />
      <span className="cut queue-text">{text}</span>
      <span className="quiet">{whenSaid(isActive, message.queue)}</span>
      {isActive && !isSteering && (
        <Button
          className="text-button"
          aria-label={`Say now: ${text}`}
          title="Calls that have not started are skipped"
          onClick={message.steer}
        >
          Say now
        </Button>
      )}
      {!isActive && canContinue && (
        <Button
          className="text-button"
          aria-label={`Send now: ${text}`}
          onClick={props.onSendNow ?? (() => void continueIn(agent))}
        >
          Send now
        </Button>
      )}
      <Button
        className="chip-remove"
        aria-label={`Remove from the queue: ${text}`}
        aria-disabled={!canRemove}
        onClick={message.remove}
      >
        <Icon name="cross" />
      </Button>
    </li>
  )
}

async function continueIn(agent: Agent): Promise<void> {
  try {
    await agent.continue()
  } catch {
    // How a run ends is in the state.
  }
}

function whenSaid(isActive: boolean, queue: QueuedMessage['queue']): string {
  if (!isActive) return 'not sent yet'
  return queue === 'steering' ? 'at the next step' : 'after this answer'
}

const mostChars = 120

/** What the message says, on one line. */
function shortText({ content }: QueuedMessage, wordsOf = (text: string) => text): string {
  const words = content.flatMap((part) => (part.type === 'text' ? [wordsOf(part.text)] : []))
  const start = words.join(', ').slice(0, 10 * mostChars)
  const line = start.replace(/\s+/g, ' ')
  return line.length > mostChars ? `${line.slice(0, mostChars - 1)}…` : line
}

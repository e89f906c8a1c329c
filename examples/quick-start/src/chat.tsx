// chat.tsx: React sees a projection of what happens.
import { textOf } from '@offthread/core'
import { useAgent, useToolCall } from '@offthread/react'
import type { ReactNode } from 'react'
import { agent } from './agent.ts'

export function Chat(): ReactNode {
  const { messages, isActive, error, sendMessage, stop } = useAgent(agent)
  const ask = () => void sendMessage('How many primes are below a million?')
  return (
    <>
      {messages.map(({ id, role, content }) => (
        <article key={id}>
          <b>{role}</b> {textOf(content)}
          {content.map((part) =>
            part.type === 'toolCall' ? (
              <ToolCard key={part.toolCallId} id={part.toolCallId} />
            ) : null,
          )}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <button type="button" onClick={ask}>
        Ask
      </button>
      <button type="button" onClick={stop} disabled={!isActive}>
        Stop
      </button>
    </>
  )
}

function ToolCard({ id }: { readonly id: string }): ReactNode {
  const call = useToolCall(agent, id)
  if (!call) return null
  return (
    <p>
      {call.label}: {call.status} {call.progress?.value}
      <button type="button" onClick={call.cancel} disabled={call.hasEnded}>
        Cancel
      </button>
    </p>
  )
}

// chat.tsx: React sees a projection of what happens.
import { textOf } from '@offthread/core'
import { defineToolUI, ToolCall, useAgent } from '@offthread/react'
import { OffthreadDevtools } from '@offthread/react/devtools'
import type { ReactNode } from 'react'
import { agent } from './agent.ts'
import { countPrimes } from './tools.ts'

const ui = [
  defineToolUI(countPrimes, ({ call }) => (
    <p>
      {call.label}: {call.status} {call.output?.count ?? call.progress?.value}
      <button type="button" onClick={call.cancel} disabled={call.hasEnded}>
        Cancel
      </button>
    </p>
  )),
]

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
              <ToolCall key={part.toolCallId} agent={agent} toolCallId={part.toolCallId} ui={ui} />
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
      <OffthreadDevtools agent={agent} />
    </>
  )
}

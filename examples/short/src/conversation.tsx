// What the examples share: messages, the cards of their calls, and a button that asks.
import { type Agent, textOf } from '@offthread/core'
import { defineToolUI, ToolCall, type ToolUI, useAgent } from '@offthread/react'
import type { ReactNode } from 'react'

const plainUI = defineToolUI('*', ({ call }) => (
  <p>
    {call.label}: {call.status}{' '}
    <button type="button" onClick={call.cancel} disabled={call.hasEnded}>
      Cancel
    </button>
  </p>
))

type Props = { readonly agent: Agent; readonly question: string; readonly ui?: readonly ToolUI[] }

export function Conversation({ agent, question, ui = [] }: Props): ReactNode {
  const { messages, error, can, sendMessage } = useAgent(agent)
  return (
    <>
      {messages.map(({ id, role, content }) => (
        <article key={id}>
          <b>{role}</b> {textOf(content)}
          {content.map((part) =>
            part.type === 'toolCall' ? (
              <ToolCall key={part.toolCallId} {...{ agent, ...part }} ui={[...ui, plainUI]} />
            ) : null,
          )}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <button type="button" onClick={() => void sendMessage(question)} disabled={!can.send}>
        {question}
      </button>
    </>
  )
}

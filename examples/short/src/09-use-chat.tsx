// A chat of the AI SDK, as its documents have it. Only the transport is made for an agent in the page.
import { useChat } from '@ai-sdk/react'
import { createChatTransport } from '@offthread/adapters/ai-sdk'
import { createAgent } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import type { ReactNode } from 'react'

const agent = createAgent({ model: scriptedModel([say('Hello from your own page!')]) })
const transport = createChatTransport(agent)

export function Example(): ReactNode {
  const { messages, sendMessage, status, stop, error } = useChat({ transport })
  return (
    <>
      {messages.map(({ id, role, parts }) => (
        <p key={id}>
          <b>{role}</b> {parts.map((part) => (part.type === 'text' ? part.text : null))}
        </p>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <button type="button" onClick={() => void sendMessage({ text: 'Who is there?' })}>
        Who is there?
      </button>
      <button type="button" onClick={() => void stop()} disabled={status === 'ready'}>
        Stop
      </button>
    </>
  )
}

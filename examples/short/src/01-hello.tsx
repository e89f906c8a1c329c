// An agent and a page that shows it. The script stands for a model, so that it runs without a key.
import { createAgent, textOf } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import { useAgent } from '@offthread/react'
import type { ReactNode } from 'react'

const model = scriptedModel([say('Hello!')], [say('Still here.')], [say('The script ends here.')])
const agent = createAgent({ model })

export function Example(): ReactNode {
  const { messages, error, can, sendMessage } = useAgent(agent)
  return (
    <form action={(form) => void sendMessage(String(form.get('message')))}>
      {messages.map(({ id, role, content }) => (
        <p key={id}>
          <b>{role}</b> {textOf(content)}
        </p>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <input name="message" aria-label="Message" required />
      <button type="submit" disabled={!can.send}>
        Send
      </button>
    </form>
  )
}

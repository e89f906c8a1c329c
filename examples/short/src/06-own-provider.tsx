// A provider of one's own: an adapter turns one request into one stream of chunks, and nothing else.
import { createAgent, type Model, textOf } from '@offthread/core'
import type { ReactNode } from 'react'
import { Conversation } from './conversation.tsx'

const echo: Model = {
  identity: { provider: 'echo', id: 'echo-1' },
  async *stream({ messages }, { signal }) {
    // In your adapter: a request to your server, with this signal.
    const asked = messages.at(-1)
    const words = asked ? textOf(asked.content).split(' ') : []
    yield { type: 'text_start', contentIndex: 0 }
    for (const word of words) {
      signal.throwIfAborted()
      yield { type: 'text_delta', contentIndex: 0, delta: `${word} ` }
      await new Promise(requestAnimationFrame)
    }
    yield { type: 'text_end', contentIndex: 0 }
    const usage = { inputTokens: words.length, outputTokens: words.length }
    yield { type: 'finish', stopReason: 'stop', usage }
  },
}
const agent = createAgent({ model: echo })

export function Example(): ReactNode {
  return <Conversation agent={agent} question="Say this again" />
}

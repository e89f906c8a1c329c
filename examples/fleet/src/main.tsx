// A page whose tool runs in a fleet: its card shows where, how far it is and what it writes, and can cancel it.
import { wsconnect } from '@nats-io/nats-core'
import { createAgent, textOf } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { inFleet } from '@offthread/fleet'
import { defineToolUI, ToolCall, useAgent } from '@offthread/react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { countPrimes } from './tools.ts'

// A script, so that the example needs no key.
const model = scriptedModel(
  [call('count_primes', { n: 1_000_000 })],
  [say('There are 78498 of them.')],
  [call('count_primes', { n: 1_000_000_000 })],
  [say('That was too many.')],
)
const servers = String(import.meta.env['VITE_NATS'])
const agent = createAgent({
  model,
  tools: inFleet([countPrimes], () => wsconnect({ servers })),
})

const card = defineToolUI('*', ({ call: { label, status, progress, logs, cancel, hasEnded } }) => (
  <section>
    <h2>
      {label}: {status}
    </h2>
    <p>{progress?.message}</p>
    <pre>{logs.lines.map(({ text }) => text).join('\n')}</pre>
    <button type="button" onClick={cancel} disabled={hasEnded}>
      Cancel
    </button>
  </section>
))

function Page(): ReactNode {
  const { messages, error, can, sendMessage } = useAgent(agent)
  return (
    <main>
      {messages.map(({ id, role, content }) => (
        <article key={id}>
          <b>{role}</b> {textOf(content)}
          {content.map((part) =>
            part.type === 'toolCall' ? (
              <ToolCall key={part.toolCallId} {...{ agent, ...part }} ui={[card]} />
            ) : null,
          )}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      {['a million', 'a billion'].map((n) => (
        <button
          key={n}
          type="button"
          onClick={() => void sendMessage(`How many primes are below ${n}?`)}
          disabled={!can.send}
        >
          How many primes are below {n}?
        </button>
      ))}
    </main>
  )
}

const root = document.querySelector('#root')
if (root) createRoot(root).render(<Page />)

// A page that shows the session on each device: text as it streams, calls with their approvals, and who does the work.
import { textOf } from '@offthread/core'
import { defineToolUI, ToolCall, useAgent } from '@offthread/react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { agent } from './agent.ts'

const questions = [
  'Count to a thousand.',
  'How many primes are below a million?',
  'How many primes are below a billion?',
]

const roles = {
  owner: 'This device does the work.',
  follower: 'Another device does the work.',
  'read-only': 'This device only shows it.',
}

const card = defineToolUI('*', ({ call }) => {
  const { label, status, mayHaveRun, progress, logs, cancel, hasEnded } = call
  return (
    <section>
      <h2>
        {label}: {status}
      </h2>
      <p>
        {mayHaveRun
          ? 'It was cut off, and may have done all of its work or none.'
          : progress?.message}
      </p>
      <pre>{logs.lines.map(({ text }) => text).join('\n')}</pre>
      {status === 'awaiting_approval' && (
        <button type="button" onClick={() => call.addToolApprovalResponse({ approved: true })}>
          Allow
        </button>
      )}
      <button type="button" onClick={cancel} disabled={hasEnded}>
        Cancel
      </button>
    </section>
  )
})

function Page(): ReactNode {
  const { messages, storage, access, lastReason, refused, error, can, ...actions } = useAgent(agent)
  if (storage === 'opening') return <p>Opening…</p>
  return (
    <main>
      <p>
        {roles[access]}{' '}
        {access !== 'owner' && (
          <button type="button" onClick={() => void agent.takeOver()}>
            Take over
          </button>
        )}
      </p>
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
      {storage === 'offline' && <p>Offline: kept on this device.</p>}
      {(error ?? refused) && <p role="alert">{(error ?? refused)?.message}</p>}
      {refused?.keptAs !== undefined && (
        <a href={`?${new URLSearchParams({ session: refused.keptAs })}`}>Open what was done here</a>
      )}
      {questions.map((question) => (
        <button
          key={question}
          type="button"
          onClick={() => void actions.sendMessage(question)}
          disabled={!can.send}
        >
          {question}
        </button>
      ))}
      <button type="button" onClick={actions.stop} disabled={!can.stop}>
        Stop
      </button>
      {lastReason === 'interrupted' && (
        <button type="button" onClick={() => void actions.continue()} disabled={!can.continue}>
          Resume
        </button>
      )}
    </main>
  )
}

const root = document.querySelector('#root')
if (root) createRoot(root).render(<Page />)

import type {
  Agent,
  AgentState,
  AssistantContent,
  Part,
  PendingRetry,
  RunStatus,
} from '@offthread/core'
import { useAgent, useElapsed } from '@offthread/react'
import type { ReactNode } from 'react'
import { type CallCounts, countCalls } from '../cards/call-counts.ts'
import { counted } from '../text/quantity.ts'
import { useNow } from '../ui/use-now.ts'

const shownCounts = ['writing', 'running', 'queued', 'done', 'failed'] as const

/** What the agent is doing and for how long. It is shown during a run only. */
export function RunStatusLine({ agent }: { readonly agent: Agent }): ReactNode {
  const state = useAgent(agent)
  const { isActive, startedAt, status, usage } = state
  const clock = useElapsed(startedAt ?? undefined)
  if (!isActive) return null
  const counts = countCalls(state.toolCalls, callsOfRun(state))
  const isAsking = status === 'retrying' || status === 'submitted'
  // What the provider has reported so far: none of them is estimated.
  const tokens = usage.inputTokens + usage.outputTokens
  const retry = isAsking ? state.retry : null
  return (
    <section
      className="row small run-status"
      aria-label="Run status"
      data-status={status}
      data-retrying={retry !== null}
    >
      <span className="run-pulse" aria-hidden="true" />
      <span className="run-state">
        {retry ? <RetryWords retry={retry} /> : wordFor(status, counts)}
      </span>
      {!retry && <span className="run-clock" ref={clock} aria-hidden="true" />}
      <ul className="run-counts" aria-label="Tool calls of this run">
        {shownCounts.map(
          (word) =>
            counts[word] > 0 && (
              <li key={word} data-count={word}>
                {counts[word]} {word}
              </li>
            ),
        )}
      </ul>
      {tokens > 0 && <span className="run-tokens">{counted(tokens, 'token')}</span>}
    </section>
  )
}

/** The ids of the calls since the last question, in call order. */
function callsOfRun({ messages }: AgentState): readonly string[] {
  const question = messages.findLastIndex(({ role }) => role !== 'assistant')
  const answers = messages.slice(question + 1)
  const parts = answers.flatMap<Part | AssistantContent>(({ content }) => content)
  return parts.flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : []))
}

function wordFor(status: RunStatus, { running, queued }: CallCounts): string {
  if (status === 'running_tools') return running + queued === 1 ? 'Running a tool' : 'Running tools'
  return words[status] ?? 'Planning'
}

const words: Partial<Readonly<Record<RunStatus, string>>> = {
  streaming: 'Answering',
  awaiting_approval: 'Waiting for you',
  awaiting_tool_results: 'Waiting for you',
  stopping: 'Stopping',
  retrying: 'Trying again',
  compacting: 'Making room',
}

/** Which attempt a failed request waits for, and for how long: `Retrying in 3 s (2/4)`. */
function RetryWords({ retry }: { readonly retry: PendingRetry }): ReactNode {
  const { attempt, maxAttempts, at } = retry
  const seconds = Math.max(0, Math.ceil((at - useNow(250)) / 1000))
  return `${seconds > 0 ? `Retrying in ${seconds} s` : 'Retrying now'} (${attempt}/${maxAttempts})`
}

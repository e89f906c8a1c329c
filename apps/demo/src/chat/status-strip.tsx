import type { AgentState, RunStatus } from '@offthread/core'
import { useAgentSelector, useElapsed } from '@offthread/react'
import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'
import type { CallCounts } from '../cards/call-counts.ts'
import { countCalls } from '../cards/call-counts.ts'
import { useSession } from '../session.ts'
import { Icon } from '../ui/icon.tsx'
import { RetryWords } from './retry-words.tsx'
import { callsOfRun } from './run-calls.ts'

/** What the agent is doing now, how long already, and the way to stop it. Only there while it works. */
export function StatusStrip(): ReactNode {
  const { agent, runs } = useSession()
  const startedAt = useSyncExternalStore(runs.subscribe, runs.startedAt)
  const retry = useSyncExternalStore(runs.subscribe, runs.retry)
  const status = useAgentSelector(agent, statusOf)
  const counts = useAgentSelector(agent, countsOfRun, sameCounts)
  const clock = useElapsed(startedAt)
  if (startedAt === undefined) return null
  const retrying = isBeforeAnswer(status) && retry
  return (
    <section
      className="status-strip"
      aria-label="Run status"
      data-status={status}
      data-retrying={Boolean(retrying)}
    >
      <span className="status-pulse" aria-hidden="true" />
      <span className="strip-state">
        {retry && isBeforeAnswer(status) ? <RetryWords retry={retry} /> : wordFor(status, counts)}
      </span>
      <span className="strip-clock" ref={clock} aria-hidden="true" />
      <ul className="strip-counts" aria-label="Tool calls of this run">
        <Count count={counts.running} word="running" />
        <Count count={counts.queued} word="queued" />
        <Count count={counts.done} word="done" />
        <Count count={counts.failed} word="failed" />
      </ul>
      <button
        type="button"
        className="strip-stop"
        aria-label="Stop the run"
        aria-disabled={status === 'stopping'}
        onClick={() => agent.abort()}
      >
        <Icon name="square" />
        Stop
      </button>
    </section>
  )
}

function isBeforeAnswer(status: RunStatus): boolean {
  return status === 'retrying' || status === 'submitted'
}

function Count({ count, word }: { readonly count: number; readonly word: string }): ReactNode {
  if (count === 0) return null
  return (
    <li data-count={word}>
      {count} {word}
    </li>
  )
}

function statusOf({ status }: AgentState): RunStatus {
  return status
}

function countsOfRun(state: AgentState): CallCounts {
  return countCalls(state, callsOfRun(state))
}

function sameCounts(a: CallCounts, b: CallCounts): boolean {
  return (
    a.total === b.total &&
    a.running === b.running &&
    a.queued === b.queued &&
    a.done === b.done &&
    a.failed === b.failed
  )
}

function wordFor(status: RunStatus, { running, queued }: CallCounts): string {
  switch (status) {
    case 'streaming':
      return 'Answering'
    case 'running_tools':
      return running + queued === 1 ? 'Running a tool' : 'Running tools'
    case 'stopping':
      return 'Stopping'
    case 'retrying':
      return 'Trying again'
    case 'compacting':
      return 'Making room'
    default:
      return 'Planning'
  }
}

import type { Agent, EventOf, RunError } from '@offthread/core'
import { useEffect, useRef } from 'react'

/** What a component does when a run ends. Each is called once for each end, also in StrictMode. */
export interface RunEndOptions {
  /** A run has ended, however it ended; the agent's state shows it. Not called for runs inside calls. */
  readonly onFinish?: (end: EventOf<'agent_end'>) => void
  /** A run has failed, or the session cannot be read or stored. */
  readonly onError?: (error: RunError) => void
}

/** Calls back when a run of the agent ends while the component is mounted. */
export function useRunEnd(agent: Agent, options: RunEndOptions): void {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const isWanted = Boolean(options.onFinish ?? options.onError)
  useEffect(() => (isWanted ? listen(agent, () => latest.current) : undefined), [agent, isWanted])
}

function listen(agent: Agent, current: () => RunEndOptions): () => void {
  let isMounted = true
  const leaveEvents = agent.subscribe((event) => {
    if (event.type !== 'agent_end' || event.agentId !== undefined) return
    // Called in a microtask, because the state is published in one that was queued before.
    queueMicrotask(() => {
      if (!isMounted) return
      const { onFinish, onError } = current()
      onFinish?.(event)
      if (event.reason === 'error' && event.error) onError?.(event.error)
    })
  })
  // A failing storage is no event, so the state is watched.
  const leaveStore = agent.store.subscribe(({ error }, previous) => {
    if (error?.kind === 'storage' && error !== previous.error) current().onError?.(error)
  })
  return () => {
    isMounted = false
    leaveEvents()
    leaveStore()
  }
}

import { type Agent, type AgentEvent, StorageError } from '@offthread/core'
import { useSyncExternalStore } from 'react'

/** The events of a log so far. */
export interface Recorded {
  /** A list that grows: only its first `length` events belong to this snapshot. */
  readonly events: readonly AgentEvent[]
  readonly length: number
  /** Why no more of the log can be read; `null`: it goes on. */
  readonly error: StorageError | null
}

const nothing: Recorded = { events: [], length: 0, error: null }
const renderEveryMs = 16

/**
 * The stored events of an agent, and from now on every event. All components that show the events of an agent share one
 * record; it is dropped when the last of them has gone. The component renders at most once per frame.
 */
export function useEventRecord(agent: Agent): Recorded {
  const record = recordOf(agent)
  return useSyncExternalStore(record.subscribe, record.get, () => nothing)
}

/** The events that are recorded of an agent at this moment. */
export function recordedOf(agent: Agent): Recorded {
  return recordOf(agent).get()
}

/**
 * Records the events of an agent from now on, even while no component shows them. Without this, events that are not
 * stored (the pieces of an answer, progress) are known only from when a component shows events. It renders nothing.
 * Returns the function that ends this.
 *
 * @example
 * ```ts
 * const stop = keepEvents(agent)
 * ```
 */
export function keepEvents(agent: Agent): () => void {
  return recordOf(agent).subscribe(() => {})
}

interface EventRecord {
  readonly get: () => Recorded
  readonly subscribe: (listener: () => void) => () => void
}

const records = new WeakMap<Agent, EventRecord>()

function recordOf(agent: Agent): EventRecord {
  const record = records.get(agent) ?? createRecord(agent)
  records.set(agent, record)
  return record
}

function createRecord(agent: Agent): EventRecord {
  const listeners = new Set<() => void>()
  let recorded = nothing
  let stop: (() => void) | null = null
  return {
    get: () => recorded,
    subscribe: (listener) => {
      // A new function each time, so that one listener can subscribe twice and leave once.
      const own = (): void => listener()
      listeners.add(own)
      stop ??= record(agent, (current) => {
        recorded = current
        for (const each of listeners) each()
      })
      return () => {
        listeners.delete(own)
        if (listeners.size > 0) return
        stop?.()
        stop = null
        recorded = nothing
      }
    },
  }
}

/** Calls back with all events so far, some time after each. Returns the function that ends this. */
function record(agent: Agent, onChange: (recorded: Recorded) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let reading = read()

  function read(): AbortController {
    const stopping = new AbortController()
    const { signal } = stopping
    const events: AgentEvent[] = []
    let error: StorageError | null = null
    const show = (): void => {
      timer = undefined
      onChange({ events, length: events.length, error })
    }
    void (async () => {
      for await (const event of agent.events({ signal })) {
        events.push(event)
        timer ??= setTimeout(show, renderEveryMs)
      }
    })().catch((thrown: unknown) => {
      if (signal.aborted) return
      error = storageErrorOf(thrown)
      timer ??= setTimeout(show, renderEveryMs)
    })
    return stopping
  }

  function stop(): void {
    reading.abort()
    clearTimeout(timer)
    timer = undefined
  }

  const unsubscribe = agent.subscribe(({ type }) => {
    if (type !== 'message_redacted') return
    // The recorded events hold content that was removed.
    stop()
    onChange(nothing)
    reading = read()
  })
  return () => {
    unsubscribe()
    stop()
  }
}

function storageErrorOf(thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown
  return new StorageError('unknown', 'The log of the session cannot be read.', { cause: thrown })
}

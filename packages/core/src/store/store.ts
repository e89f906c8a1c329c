import { createStore } from 'zustand/vanilla'
import { reportLater } from '../internal/report-later.ts'
import { type AgentEvent, isDurable } from '../kernel/events.ts'
import type { RunError } from '../kernel/run-error.ts'
import type { State } from '../kernel/state.ts'
import type { StorageErrorKind } from '../storage/port.ts'
import type { Tool } from '../tools/definition.ts'
import { type AgentState, createProjection, type Shown } from './agent-state.ts'
import { canNothing } from './can.ts'
import type { PublishSchedule } from './publish.ts'
import type { ToolCallView } from './tool-call-view.ts'
import type { FindTool } from './tool-calls.ts'

/** The published snapshots of an agent: what `useSyncExternalStore` and `useStore` of zustand need. */
export interface AgentStore<T extends Tool = Tool> {
  readonly getState: () => AgentState<T>
  /** The snapshot of the agent as it was made: what a server renders. */
  readonly getInitialState: () => AgentState<T>
  /** Calls back after each published snapshot, with it and the one before. Returns the function that ends this. */
  readonly subscribe: (
    listener: (state: AgentState<T>, previous: AgentState<T>) => void,
  ) => () => void
}

export interface Publisher {
  readonly store: AgentStore
  /** Notes an event: durable facts are published soon, the rest with the next frame. */
  readonly note: (event: AgentEvent) => void
  /** Shows a change that no event tells about. */
  readonly show: (shown: Shown) => void
  /** The storage failed: every snapshot says so from now on. */
  readonly fail: (error: RunError, kind: StorageErrorKind) => void
  /** Publishes one last snapshot, in which no run is active. */
  readonly dispose: () => void
}

export interface PublisherOptions {
  readonly schedule: PublishSchedule
  readonly findTool: FindTool
  /** Where the session is kept at first. */
  readonly storage: AgentState['storage']
}

/**
 * Publishes what the log says. Between two publications all readers get the same snapshot, however much has
 * happened; a frame shows at most one of ephemeral events, and a durable fact never waits for a frame.
 */
export function createPublisher(
  state: () => State,
  { schedule, findTool, storage }: PublisherOptions,
): Publisher {
  let project = createProjection(findTool)
  let given: Required<Shown> = { access: 'owner', storage, refused: null }
  let published = state()
  let soon = false
  let disposed = false
  let cancelFrame: (() => void) | null = null
  let failure: Failed | null = null
  const store = createStore<AgentState>(snapshot)

  function publish(): void {
    soon = false
    cancelFrame?.()
    cancelFrame = null
    if (!disposed && published !== state()) publishNow()
  }

  function publishNow(): void {
    published = state()
    store.setState(snapshot(), true)
  }

  function snapshot(): AgentState {
    const shown = { ...project(published), ...given }
    const isOver = failure || disposed || given.access === 'read-only'
    return isOver ? { ...cutOff(shown), ...failure } : shown
  }

  function show(shown: Shown): void {
    if (disposed) return
    given = { ...given, ...shown }
    publishNow()
  }

  return {
    store: { ...store, subscribe: (listener) => store.subscribe(isolated(listener)) },
    note: (event) => {
      // A new projection, because the old one remembers content that was removed.
      if (event.type === 'message_redacted') project = createProjection(findTool)
      if (disposed || soon) return
      if (isDurable(event)) {
        soon = true
        schedule.soon(publish)
      } else {
        cancelFrame ??= schedule.nextFrame(publish)
      }
    },
    show,
    fail: (error, kind) => {
      failure = { error, storage: kind, status: 'error', lastReason: 'error' }
      show({})
    },
    dispose: () => {
      if (disposed) return
      disposed = true
      cancelFrame?.()
      const isNews = published !== state() || state().run || state().batch
      if (isNews && !failure) publishNow()
    },
  }
}

type Failed = Pick<AgentState, 'error' | 'storage' | 'status' | 'lastReason'>

/**
 * Shows the run and its calls as ended. The log will not say so: the agent is disposed, its storage failed, or it only
 * shows a session.
 */
function cutOff(state: AgentState): AgentState {
  const { get } = state.toolCalls
  return {
    ...state,
    ...(state.isActive && {
      isActive: false,
      startedAt: null,
      retry: null,
      status: 'ready',
      lastReason: 'interrupted',
    }),
    can: canNothing,
    toolCalls: { get: (toolCallId) => stopped(get(toolCallId)), active: [] },
  }
}

type Listener = Parameters<AgentStore['subscribe']>[0]

// An error of one subscriber must not keep the snapshot from the others. A new function each time, so that one listener
// can subscribe twice and leave once.
function isolated(listener: Listener): Listener {
  return (state, previous) => {
    try {
      listener(state, previous)
    } catch (error) {
      reportLater(error)
    }
  }
}

const views = new WeakMap<ToolCallView, ToolCallView>()

/**
 * The view of a call whose agent runs nothing any more. A call that waits for a person keeps waiting, for the next
 * opening of the session.
 */
function stopped(view: ToolCallView | undefined): ToolCallView | undefined {
  if (!view || view.hasEnded) return view
  if (view.approval || view.place === 'client') return view
  const known = views.get(view) ?? { ...view, status: 'interrupted', hasEnded: true }
  views.set(view, known)
  return known
}

import type { Draft } from '../../kernel/draft.ts'
import type { AgentEvent, DurableEvent } from '../../kernel/events.ts'
import type { State } from '../../kernel/state.ts'
import type { Journal } from '../../runtime/journal.ts'
import type { EventListener } from '../../runtime/notifier.ts'
import type { Shown } from '../../store/agent-state.ts'
import type { FindTool } from '../../store/tool-calls.ts'
import type { Commands } from '../handle.ts'
import type { RunResult } from '../run.ts'
import type { RunWish, Wish } from './wish.ts'

/** What a stored session does with its agent. */
export interface SessionPorts {
  readonly state: () => State
  readonly subscribe: (listener: EventListener) => () => void
  /** The durable events of the agent since it has opened the session. Grows with each new one. */
  readonly log: DurableEvent[]
  /** Goes on with another state. Listeners get the events that are new to them. */
  readonly load: (state: State, news: readonly DurableEvent[]) => void
  /** Adds events that the session's owner has written. */
  readonly replay: (events: readonly AgentEvent[]) => void
  /** From now on the agent writes. */
  readonly own: (journal: Journal | null) => void
  /** Writes a fact of the session itself. */
  readonly write: (fact: Draft) => void
  /** From now on the agent does not write, and everything that it started ends. */
  readonly disown: () => void
  readonly show: (shown: Shown) => void
  /** Forgets the bytes of an artifact. */
  readonly dropArtifact: (artifactId: string) => void
  readonly findTool: FindTool
  /** The agent's own commands, for what another agent on the session asks for. */
  readonly commands: () => Commands
}

/** The agent that owns the session, seen from one that does not. */
export interface RemoteOwner {
  /** Resolves when the run has ended. Rejects as the command does. */
  readonly run: (wish: RunWish, signal?: AbortSignal) => Promise<RunResult<never>>
  /** Resolves when the command was done. Rejects as the command does. */
  readonly ask: (wish: Wish) => Promise<void>
  /** Sends a command without waiting: if it is refused, the state shows that. Always returns `true`. */
  readonly send: (wish: Wish) => true
}

/** The stored session of an agent. */
export interface StoredSession {
  /** `null`: the agent itself owns the session. */
  readonly remote: () => RemoteOwner | null
  readonly takeOver: () => Promise<void>
  /** Removes the content of a message for good, wherever the session is owned. */
  readonly redact: (messageId: string) => Promise<void>
  /** Stores the bytes of an artifact beside the log, or removes them. */
  readonly keepArtifact: (artifactId: string, data: Blob | ArrayBuffer | null) => void
  /** The events from a number on, up to those that the agent itself has. */
  readonly past: (from: number) => AsyncIterable<readonly DurableEvent[]>
  /** Stores what is left, and gives the session back. */
  readonly close: () => Promise<void>
}

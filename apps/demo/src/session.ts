import type { Agent, AgentState } from '@offthread/core'
import { createContext, useContext } from 'react'
import type { Attachments, PendingFile } from './files/attachments.ts'
import { createAttachments } from './files/attachments.ts'
import { toParts } from './files/to-parts.ts'
import { keepTables } from './keep-tables.ts'
import type { Models } from './model/models.ts'
import { createModels } from './model/models.ts'
import { plannerModel } from './model/planner-model.ts'
import type { RunLog } from './run-log.ts'
import { createRunLog } from './run-log.ts'
import type { DataStore } from './tools/tables.ts'

/** What the page is about: one agent, and what the page keeps beside its log. */
export interface Session {
  readonly agent: Agent
  readonly runs: RunLog
  readonly attachments: Attachments
  /** Which model answers. */
  readonly models: Models
  /** Offers tools that misbehave. */
  readonly dev: boolean
  /** Whether a file of that name was sent. */
  readonly hasFile: (name: string) => boolean
  /** Sends a message with its files. Says whether it did: not in a run, and nothing empty. */
  readonly send: (text: string, files: readonly PendingFile[]) => boolean
  /** Goes on where a failed run stopped, with the model that is chosen now. What the tools found out is kept. */
  readonly tryAgain: () => void
}

interface SessionOptions {
  readonly dev: boolean
  /** The store that the agent's tools read. */
  readonly store: DataStore
  /** Milliseconds between two pieces of an answer of the planner. */
  readonly delayMs?: number
}

export function createSession(agent: Agent, { dev, store, ...pace }: SessionOptions): Session {
  keepTables(agent, store)
  const models = createModels(agent, () => plannerModel(pace))
  // How a run ends is shown from the log; what rejects here is misuse.
  const run = (start: () => Promise<unknown>): void => {
    models.apply()
    start().catch((error: unknown) => console.error(error))
  }
  return {
    agent,
    dev,
    models,
    runs: createRunLog(agent),
    attachments: createAttachments(),
    hasFile: (name) => store.getState().files.has(name),
    send: (text, files) => {
      const parts = toParts(text, files)
      if (parts.length === 0 || isActive(agent.getState())) return false
      for (const { name, file } of files) store.addFile(name, file)
      run(() => agent.prompt(parts))
      return true
    },
    tryAgain: () => {
      if (!isActive(agent.getState())) run(() => agent.continue())
    },
  }
}

const atRest = new Set(['ready', 'error', 'awaiting_approval', 'awaiting_tool_results'])

/** Whether the agent is at work. */
export function isActive({ status }: Pick<AgentState, 'status'>): boolean {
  return !atRest.has(status)
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Render this inside <SessionContext value={session}>.')
  return session
}

import { createAgent, type SessionStorage } from '@offthread/core'
import { callsAtOnce } from './cards/shown-status.ts'
import { plannerModel } from './model/planner-model.ts'
import { hostTools } from './tools/host-tools.ts'
import type { DataStore } from './tools/tables.ts'

export interface DemoOptions {
  /** Adds tools that misbehave. */
  readonly dev: boolean
  /** Where the tools find files and tables. */
  readonly store: DataStore
  /** Milliseconds between two pieces of an answer of the planner. */
  readonly delayMs?: number
  /** Where the conversation is kept. Default: nowhere. */
  readonly kept?: Kept
}

/** Where a conversation is kept, and its name there. */
export interface Kept {
  readonly storage: SessionStorage
  readonly sessionId: string
}

const system =
  'You answer questions about the tables and files that the user dropped on the page. Load a file before you query it, compute with the tools, and say what you could not do.'

/** The agent of the page, with the types of its tools. */
export type DemoAgent = ReturnType<typeof createDemoAgent>

/** Makes the agent of the page: the scripted planner as its model, and tools that work in workers. */
export function createDemoAgent({ dev, store, delayMs, kept }: DemoOptions) {
  return createAgent({
    system,
    model: plannerModel({ ...(delayMs !== undefined && { delayMs }) }),
    tools: hostTools({ dev, store }),
    maxConcurrency: callsAtOnce,
    // A hook makes the images of a message smaller, and there may be fifty of them.
    hookTimeoutMs: 60_000,
    ...(kept && { storage: kept.storage, sessionId: kept.sessionId }),
  })
}

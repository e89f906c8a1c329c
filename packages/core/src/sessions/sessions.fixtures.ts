import { onTestFinished } from 'vitest'
import { type Watched, watchedAgent } from '../agent/agent.fixtures.ts'
import type { AgentOptions } from '../agent/options.ts'
import {
  createManualEnvironment,
  type ManualEnvironment,
  quiet,
} from '../runtime/environment.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import type { SessionStorage } from '../storage/port.ts'
import { type Sessions, sessionsWith } from './sessions-in.ts'

interface Stored {
  readonly storage: SessionStorage
  readonly environment: ManualEnvironment
  readonly sessions: Sessions
  /** Opens an agent, which is disposed at the end of the test. */
  readonly open: (
    options: Pick<AgentOptions, 'model' | 'sessionId'> & Partial<AgentOptions>,
  ) => Watched
  /** Lets everything happen, then the time pass, then everything that comes of it. */
  readonly pass: (ms: number) => Promise<void>
}

/** Sessions and agents on one storage, with one clock. `mark` is in every id, which distinguishes those of two computers. */
export function stored(storage: SessionStorage = memoryStorage(), mark = ''): Stored {
  const counted = createManualEnvironment()
  const environment = { ...counted, newId: (prefix: string) => `${counted.newId(prefix)}${mark}` }
  return {
    storage,
    environment,
    sessions: sessionsWith(storage, environment),
    open: (options) => {
      const watched = watchedAgent({ storage, ...options }, environment)
      onTestFinished(watched.agent.dispose)
      return watched
    },
    pass: async (ms: number) => {
      await quiet()
      environment.clock.advance(ms)
      await quiet()
    },
  }
}

/** Ends an agent, and waits until its session is free. */
export async function close({ agent }: Watched): Promise<void> {
  agent.dispose()
  await agent.stored()
  await quiet()
}

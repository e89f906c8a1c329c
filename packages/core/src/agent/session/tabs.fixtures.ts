import { onTestFinished } from 'vitest'
import type { Model } from '../../model/port.ts'
import {
  createManualEnvironment,
  type ManualEnvironment,
  quiet,
} from '../../runtime/environment.fixtures.ts'
import { memoryStorage } from '../../storage/memory.ts'
import type { SessionStorage } from '../../storage/port.ts'
import { scriptedModel } from '../../testing/scripted.ts'
import { watchedAgent } from '../agent.fixtures.ts'
import type { AgentOptions } from '../options.ts'

export const sessionId = 'session_1'

export type Tab = ReturnType<typeof watchedAgent>

export interface Tabs {
  readonly open: (model?: Model, own?: SessionStorage, more?: Partial<AgentOptions>) => Tab
  /** Lets everything happen, then the time pass, then everything that comes of it. */
  readonly pass: (ms: number) => Promise<void>
  readonly storage: SessionStorage
  readonly environment: ManualEnvironment
}

/** Agents on one session, the first of them its owner; all have the same clock. */
export function tabs(
  optionsIn: (environment: ManualEnvironment) => Partial<AgentOptions> = () => ({}),
  storage: SessionStorage = memoryStorage(),
): Tabs {
  const environment = createManualEnvironment()
  const options = optionsIn(environment)
  const open: Tabs['open'] = (model = scriptedModel(), own = storage, more = {}) => {
    const given = { ...options, ...more, model, storage: own, sessionId }
    const tab = watchedAgent(given, environment)
    onTestFinished(tab.agent.dispose)
    return tab
  }
  const pass = async (ms: number) => {
    await quiet()
    environment.clock.advance(ms)
    await quiet()
    environment.frame()
  }
  return { open, pass, storage, environment }
}

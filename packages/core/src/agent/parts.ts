import type { DurableEvent } from '../kernel/events.ts'
import { isDurable } from '../kernel/events.ts'
import type { Publisher } from '../store/store.ts'
import { createPublisher } from '../store/store.ts'
import { validateAgents } from './agent-host.ts'
import type { Engine } from './engine.ts'
import { createEngine } from './engine.ts'
import { openLog } from './opening.ts'
import type { AgentChanges, AgentEnvironment, AgentOptions } from './options.ts'
import type { GivenOptions, Settings } from './settings.ts'
import { resolveSettings } from './settings.ts'

/** What an agent is joined from. */
export interface AgentParts extends Engine {
  readonly settings: () => Settings
  readonly configure: (changes: AgentChanges) => void
  readonly publisher: Publisher
  /** The durable events so far. Grows. */
  readonly log: readonly DurableEvent[]
  /** Resolves when the log is open. Rejects when it could not be read. */
  readonly opened: Promise<void>
  readonly isOpen: () => boolean
  /** Resolves when what was written is stored, or cannot be. */
  readonly stored: () => Promise<void>
}

/** Makes the parts, joins them, and opens the log. */
export function createParts(options: AgentOptions, environment: AgentEnvironment): AgentParts {
  const { clock, newId } = environment
  const { settings, change } = createSettings(options)
  const log: DurableEvent[] = []
  const sessionId = options.sessionId ?? newId('session')
  const engine = createEngine({
    sessionId,
    settings,
    environment,
    onFailure: ({ error }) => publisher.fail(error),
  })
  const { ledger, runtime, notifier, failure, subAgents } = engine
  const { schedule } = environment
  const publisher = createPublisher(ledger.state, {
    schedule,
    findTool: (toolName, agentId) => {
      const owner = agentId === undefined ? { settings } : subAgents.get(agentId)
      return owner?.settings().tools.get(toolName)?.tool
    },
  })
  notifier.subscribe((event) => {
    if (isDurable(event)) log.push(event)
    publisher.note(event)
  })
  const opening = openLog(
    { clock, storage: options.storage, sessionId, fail: failure.fail },
    (stored, journal) => {
      for (const event of stored) log.push(event)
      ledger.open(stored, journal)
      engine.open()
    },
  )
  return {
    settings,
    configure: (changes) => {
      change(changes)
      runtime.refresh()
    },
    ...engine,
    ...{ publisher, log },
    ...opening,
    stored: ledger.drained,
    dispose: () => {
      engine.dispose()
      publisher.dispose()
    },
  }
}

function createSettings(options: AgentOptions) {
  let settings = checked(options)
  return {
    settings: () => settings,
    // What is wrong with the changes is thrown before anything is changed.
    change: (changes: AgentChanges): void => {
      settings = checked({ ...settings.options, ...changes })
    },
  }
}

// Also what runs inside calls: a wrong option throws here and does not reach a model.
function checked(options: GivenOptions): Settings {
  const settings = resolveSettings(options)
  validateAgents(settings, options)
  return settings
}

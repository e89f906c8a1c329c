import { type DurableEvent, isDurable } from '../kernel/events.ts'
import type { Patience } from '../runtime/hooks.ts'
import { createPublisher, type Publisher } from '../store/store.ts'
import type { FindTool } from '../store/tool-calls.ts'
import { validateAgents } from './agent-host.ts'
import { createEngine, type Engine } from './engine.ts'
import type { Commands } from './handle.ts'
import { type OpenedLog, openLog } from './opening.ts'
import type { AgentChanges, AgentEnvironment, AgentOptions } from './options.ts'
import type { SessionPorts } from './session/ports.ts'
import { type GivenOptions, resolveSettings, type Settings } from './settings.ts'

/** The parts that make an agent. */
export interface AgentParts extends Engine, OpenedLog {
  readonly settings: () => Settings
  readonly configure: (changes: AgentChanges) => void
  readonly publisher: Publisher
  /** How long a command waits for a user's function. */
  readonly patience: (signal: AbortSignal) => Patience
  /** The durable events since the session was opened. Grows. */
  readonly log: readonly DurableEvent[]
  /** Resolves when what was written is stored, or cannot be. */
  readonly stored: () => Promise<void>
}

/**
 * Makes the parts, joins them, and opens the log. `commands` do what other agents on the session ask for.
 */
export function createParts(
  options: AgentOptions,
  environment: AgentEnvironment,
  commands: () => Commands,
): AgentParts {
  const { clock, newId } = environment
  const { settings, change } = createSettings(options)
  const log: DurableEvent[] = []
  const sessionId = options.sessionId ?? newId('session')
  const engine = createEngine({
    sessionId,
    settings,
    environment,
    onFailure: (...happened) => publisher.fail(...happened),
    onArtifact: (...artifact) => opening.keepArtifact(...artifact),
  })
  const { ledger, runtime, notifier, failure, subAgents } = engine
  const findTool = toolFinder(settings, subAgents)
  const publisher = createPublisher(ledger.state, {
    schedule: environment.schedule,
    findTool,
    storage: options.storage ? 'opening' : 'memory',
  })
  notifier.subscribe((event) => {
    if (isDurable(event)) log.push(event)
    publisher.note(event)
  })
  let isDisposed = false
  const opening = openLog({
    ...{ clock, newId, storage: options.storage, sessionId, fail: failure.fail },
    isResuming: settings().resume === 'auto',
    ports: sessionPorts({
      ...{ engine, log, publisher, findTool, commands },
      isDisposed: () => isDisposed,
    }),
  })
  return {
    settings,
    configure: (changes) => {
      change(changes)
      runtime.refresh()
    },
    ...engine,
    ...{ publisher, log },
    patience: (signal) => ({ timeoutMs: settings().hookTimeoutMs, clock, signal }),
    ...opening,
    stored: async () => {
      await ledger.drained()
      if (isDisposed) await opening.close()
    },
    dispose: () => {
      isDisposed = true
      engine.dispose()
      void opening.close()
      publisher.dispose()
    },
  }
}

function toolFinder(settings: () => Settings, subAgents: Engine['subAgents']): FindTool {
  return (toolName, agentId) => {
    const owner = agentId === undefined ? { settings } : subAgents.get(agentId)
    return owner?.settings().tools.get(toolName)?.tool
  }
}

interface SessionParts {
  readonly engine: Engine
  readonly log: DurableEvent[]
  readonly publisher: Publisher
  readonly findTool: FindTool
  readonly isDisposed: () => boolean
  readonly commands: () => Commands
}

/** The functions by which a stored session acts on its agent. */
function sessionPorts(parts: SessionParts): SessionPorts {
  const { engine, log, publisher, findTool, isDisposed, commands } = parts
  const { ledger, notifier, runtime } = engine
  return {
    state: ledger.session,
    subscribe: notifier.subscribe,
    log,
    load: ledger.load,
    replay: ledger.replay,
    own: (journal) => {
      if (isDisposed()) return
      ledger.storeIn(journal)
      engine.open()
    },
    write: (fact) => runtime.write(fact),
    disown: engine.rest,
    show: publisher.show,
    dropArtifact: engine.artifacts.drop,
    findTool,
    commands,
  }
}

function createSettings(options: AgentOptions) {
  let settings = checked(options)
  return {
    settings: () => settings,
    // Wrong changes throw before anything is changed.
    change: (changes: AgentChanges): void => {
      settings = checked({ ...settings.options, ...changes })
    },
  }
}

// Checks the options of sub-agents as well: a wrong one throws here, before a model makes the call.
function checked(options: GivenOptions): Settings {
  const settings = resolveSettings(options)
  validateAgents(settings, options)
  return settings
}

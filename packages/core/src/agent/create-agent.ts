import { atLeast, ofType, oneOf } from '../internal/check-value.ts'
import { platformEnvironment } from '../internal/environment.ts'
import { wholeTranscript } from '../kernel/transcript.ts'
import { inCallOrder } from '../runtime/call-order.ts'
import { pageSchedule } from '../store/publish.ts'
import type { ToolsOf } from '../tools/tool-types.ts'
import { createCommands } from './commands.ts'
import type { Agent } from './handle.ts'
import { iterateEvents } from './iterate-events.ts'
import type { AgentEnvironment, AgentOptions, ToolHosts } from './options.ts'
import { optionsOf } from './options-of.ts'
import { createParts } from './parts.ts'

export type { Agent } from './handle.ts'

/**
 * Creates an agent: with an empty history, or with that of its stored session.
 *
 * Failures do not reject `prompt`: they are facts in the log, read through `getState().error`. Only misuse
 * throws, here a `TypeError` for a duplicate tool name or a limit out of range.
 *
 * @example
 * ```ts
 * const agent = createAgent({
 *   model: anthropic({ model: 'claude-opus-5-5', apiKey: () => key }),
 *   tools: inWorkers([countPrimes], () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' })),
 * })
 * const { text } = await agent.prompt('How many primes are there below one million?')
 * ```
 */
export function createAgent<const Hosts extends ToolHosts = ToolHosts>(
  options: AgentOptions<Hosts>,
): Agent<ToolsOf<Hosts>>
export function createAgent(options: AgentOptions): Agent {
  return createAgentIn(options, {
    ...platformEnvironment,
    schedule: pageSchedule(platformEnvironment.clock),
  })
}

/** `createAgent` with time, ids and frames of one's own: for tests. */
export function createAgentIn(options: AgentOptions, environment: AgentEnvironment): Agent {
  const parts = createParts(options, environment, () => commands)
  const { notifier, publisher, artifacts } = parts
  const { subscribe } = notifier
  const disposal = new AbortController()
  const commands = createCommands(parts, disposal.signal)
  const { loadFor: _load, ...own } = commands
  return {
    ...own,
    subscribe: (listener, options = {}) => {
      ofType('function', 'The listener', listener)
      const endOrder = oneOf('endOrder', ['completion', 'call'], optionsOf(options).endOrder)
      return subscribe(listener, endOrder === 'call' ? inCallOrder : undefined)
    },
    events: (options = {}) => {
      const { after = -1, signal } = optionsOf(options)
      return iterateEvents({
        ...parts,
        opened: parts.isOpen() ? null : parts.opened,
        after: after < 0 ? after : atLeast('after', 0, after),
        subscribe,
        signal: signal ? AbortSignal.any([signal, disposal.signal]) : disposal.signal,
      })
    },
    ready: parts.opened,
    takeOver: async () => {
      disposal.signal.throwIfAborted()
      await parts.takeOver()
    },
    redact: async (messageId) => {
      disposal.signal.throwIfAborted()
      await parts.redact(messageId)
    },
    getTools: () => [...parts.settings().tools.values()].map(({ tool }) => tool),
    getState: publisher.store.getState,
    store: publisher.store,
    getTranscript: () => {
      const { runtime, settings } = parts
      const { maxToolResultChars } = settings().kernel
      return wholeTranscript(runtime.state(), maxToolResultChars, !runtime.isStopped())
    },
    getArtifact: async (artifactId) =>
      artifacts.get(artifactId) ?? (await parts.readArtifact(artifactId)),
    stored: parts.stored,
    dispose: () => {
      parts.dispose()
      disposal.abort(new TypeError('The agent was disposed. Create a new one.'))
    },
  }
}

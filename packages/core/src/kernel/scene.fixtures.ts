/** Continues a log, and shows in short lines which events follow and which effects are wanted. */

import type { Draft } from './draft.ts'
import { type Effect, effectKey } from './effect.ts'
import type { AgentEvent, Fact, QueuedInput, ToolExecution } from './events.ts'
import type { KernelConfig, ToolInfo } from './kernel-config.ts'
import {
  answer,
  asked,
  call,
  config,
  dispatched,
  ended,
  logOf,
  prepared,
  text,
  wordsOf,
} from './log.fixtures.ts'
import type { Message } from './message.ts'
import type { State } from './state.ts'
import { createWriter } from './writer.fixtures.ts'

type Written = Draft | Fact | readonly (Draft | Fact)[]

export interface Scene {
  readonly state: () => State
  readonly log: readonly AgentEvent[]
  /** The keys of the wanted effects; one for a call that is to be stopped ends with `stop`. */
  readonly wanted: () => string[]
  readonly effects: () => readonly Effect[]
  /** Writes facts, then all that follows. Returns the lines of both. */
  readonly write: (...facts: readonly Written[]) => string[]
}

/** The usual settings with some changes; tools are added to the usual ones. */
export function configWith({
  tools = {},
  ...changes
}: Partial<Omit<KernelConfig, 'tools'>> & {
  readonly tools?: Readonly<Record<string, ToolInfo>>
} = {}): KernelConfig {
  return { ...config, tools: new Map([...config.tools, ...Object.entries(tools)]), ...changes }
}

/** Continues a log of these facts, under these settings, until nothing is due. */
export function scene(
  settings: KernelConfig,
  ...facts: readonly (Fact | readonly Fact[])[]
): Scene {
  return sceneAfter(logOf(...facts), settings)
}

/** Continues this log until nothing is due. */
export function sceneAfter(before: readonly AgentEvent[], settings: KernelConfig): Scene {
  const writer = createWriter(before, settings)
  let effects = writer.settle()
  return {
    state: writer.state,
    log: writer.log,
    wanted: () =>
      effects.map((effect) => {
        const isToStop = effect.type === 'run_call' && effect.stop
        return isToStop ? `${effectKey(effect)} stop` : effectKey(effect)
      }),
    effects: () => effects,
    write: (...facts) => {
      const from = writer.log.length
      writer.write(...facts.flat())
      effects = writer.settle()
      return linesOf(writer.log.slice(from))
    },
  }
}

/** A run in which the model called these tools, as `call_1`, `call_2` and so on. */
export function called(toolExecution: ToolExecution, ...names: readonly string[]): Fact[] {
  const calls = names.map((name, index) => call(`call_${index + 1}`, name, `{"n":${index}}`))
  return [...asked('Go.', { toolExecution }), ...answer('msg_2', calls)]
}

/** Answers each request to the model with a text, until no effect is wanted. Returns the lines of all events. */
export function answerAll({ wanted, write, log }: Scene): string[] {
  const lines: string[] = []
  while (wanted().some((key) => key.startsWith('ask_model'))) {
    lines.push(...write(answer(`msg_a${log.length}`, [text('Hi.')])))
  }
  return lines
}

/** The facts of a call from its preparation to its end. */
export function ran(toolCallId: string, words = 'done'): Fact[] {
  return [prepared(toolCallId), dispatched(toolCallId), ended(toolCallId, words)]
}

/** Everything that follows from these facts, in short lines. */
export function dueAfter(
  settings: KernelConfig,
  ...facts: readonly (Fact | readonly Fact[])[]
): string[] {
  const before = logOf(...facts)
  return linesOf(sceneAfter(before, settings).log.slice(before.length))
}

/** One short line for every event; a message has one line, at its end. */
export function linesOf(log: readonly AgentEvent[]): string[] {
  return log.filter(({ type }) => type !== 'message_start').map(lineOf)
}

function lineOf(event: AgentEvent): string {
  switch (event.type) {
    case 'agent_start':
      return `agent_start ${event.trigger}`
    case 'agent_end':
      return `agent_end ${event.reason}`
    case 'turn_start':
    case 'turn_end':
      return `${event.type} ${event.turn}`
    case 'message_end':
      return `${sayingOf(event.message)}${event.excluded ? ' (excluded)' : ''}`
    case 'tool_execution_start':
      return `start ${event.toolCallId}`
    case 'tool_execution_end':
      return `end ${event.toolCallId} ${event.outcome}`
    case 'tools_end':
      return `tools_end ${event.toolCallIds.join(' ')}`
    case 'queue_update':
      return `queue_update [${inputsOf(event.steering)}] [${inputsOf(event.followUp)}]`
    case 'warning':
      return `warning ${event.code}`
    case 'loop_detected':
      return `loop_detected ${event.repetitions}${event.aborted ? ' aborted' : ''}`
    case 'auto_retry_start':
      return `auto_retry_start ${event.toolCallId ?? event.scope} ${event.attempt}`
    case 'auto_retry_end':
      return `auto_retry_end ${event.toolCallId ?? event.scope} ${event.attempt} ${event.success}`
    default:
      return 'toolCallId' in event ? `${event.type} ${event.toolCallId}` : event.type
  }
}

function sayingOf(message: Message): string {
  switch (message.role) {
    case 'user':
      return `user ${message.source}: ${wordsOf(message.content).join()}`
    case 'toolResult':
      return `result ${message.toolCallId}: ${wordsOf(message.content).join()}`
    case 'assistant':
    case 'system':
      return message.role
  }
}

function inputsOf(queue: readonly QueuedInput[]): string {
  return queue.map((input) => wordsOf(input).join()).join(', ')
}

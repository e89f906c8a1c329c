import { expect, onTestFinished } from 'vitest'
import type { Json } from '../internal/json.ts'
import { type ToolCallContent, textOf, type UserMessage } from '../kernel/message.ts'
import { createManualEnvironment, type ManualEnvironment } from '../runtime/environment.fixtures.ts'
import {
  type ExecutedToolCalls,
  type ExecuteToolCallsOptions,
  executeToolCallsIn,
} from './execute-tool-calls.ts'
import type { ToolCallEvent } from './own-events.ts'

/** A call as a model writes it. */
export function callTo(toolName: string, toolCallId: string, args: Json = {}): ToolCallContent {
  return { type: 'toolCall', toolCallId, toolName, argsText: JSON.stringify(args) }
}

/** An answer that calls these tools; the id of a call is its tool's name in capitals, and its place if it is not the first. */
export function calling(...toolNames: readonly string[]): {
  readonly content: readonly ToolCallContent[]
} {
  const content = toolNames.map((name, index) => {
    const before = toolNames.slice(0, index).filter((other) => other === name).length
    return callTo(name, `${name.toUpperCase()}${before || ''}`)
  })
  return { content }
}

export function userMessage(text: string, id = 'user'): UserMessage {
  return { id, parentId: null, role: 'user', content: [{ type: 'text', text }] }
}

export interface Executed {
  readonly environment: ManualEnvironment
  readonly done: Promise<ExecutedToolCalls>
  readonly events: readonly ToolCallEvent[]
  /** `type`, and the call if an event is about one. */
  readonly eventNames: () => readonly string[]
}

/** Executes calls in a manual environment. At the end of the test nothing may be left: no timer, no frame. */
export function executed(
  options: ExecuteToolCallsOptions,
  environment: ManualEnvironment = createManualEnvironment(),
): Executed {
  const events: ToolCallEvent[] = []
  const onEvent = (event: ToolCallEvent): void => {
    events.push(event)
    options.onEvent?.(event)
  }
  const done = executeToolCallsIn({ ...options, onEvent }, environment)
  onTestFinished(() => {
    expect(environment.clock.pending()).toBe(0)
    expect(environment.pendingFrames()).toBe(0)
  })
  return { environment, done, events, eventNames: () => events.map(nameOf) }
}

/** What the model would read of each call: `id: text`, with a `!` for an error. */
export async function resultsOf(done: Promise<ExecutedToolCalls>): Promise<readonly string[]> {
  const { toolResults } = await done
  return toolResults.map(
    ({ toolCallId, content, isError }) => `${toolCallId}${isError ? '!' : ''}: ${textOf(content)}`,
  )
}

export function nameOf(event: ToolCallEvent): string {
  if ('toolCallId' in event) return `${event.type} ${event.toolCallId}`
  return 'message' in event && typeof event.message !== 'string'
    ? `${event.type} ${event.message.toolCallId}`
    : event.type
}

export interface WatchedSignal {
  readonly signal: AbortSignal
  readonly abort: () => void
  readonly listeners: () => number
}

/** A signal that counts its listeners. */
export function watchedSignal(): WatchedSignal {
  const controller = new AbortController()
  const { signal } = controller
  const listeners = new Set<unknown>()
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.add(args[1])
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.delete(args[1])
    remove(...args)
  }
  return { signal, abort: () => controller.abort(), listeners: () => listeners.size }
}

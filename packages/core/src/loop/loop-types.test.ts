import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type {
  AssistantMessage,
  Model,
  RunEndReason,
  RunError,
  ToolCallContent,
  ToolResultMessage,
  Usage,
  UserMessage,
} from '../index.ts'
import type { QueuedInput } from '../kernel/events.ts'
import type { ExecutionResult } from '../kernel/tool-outcome.ts'
import {
  type AnswerEvent,
  type ExecutedToolCalls,
  type ExecuteToolCallsOptions,
  executeToolCalls,
  type QueryOptions,
  type QueryResult,
  query,
  skipToolCall,
  type ToolCallEvent,
} from '../loop.ts'

declare const model: Model
declare const message: AssistantMessage
declare const user: UserMessage
declare const call: ToolCallContent

test('[S000-1] executeToolCalls takes an answer, or its content, and returns what the specification names', () => {
  expectTypeOf(executeToolCalls).parameter(0).toEqualTypeOf<ExecuteToolCallsOptions>()
  expectTypeOf(executeToolCalls).returns.toEqualTypeOf<Promise<ExecutedToolCalls>>()
  expectTypeOf<ExecutedToolCalls>().toEqualTypeOf<{
    readonly toolResults: readonly ToolResultMessage[]
    readonly executionResults: readonly ExecutionResult[]
    readonly steeringMessages: readonly QueuedInput[] | null
    readonly getArtifact: (artifactId: string) => Blob | undefined
  }>()
  const fine = () => [
    executeToolCalls({ message }),
    executeToolCalls({ message: { content: [call] } }),
    executeToolCalls({ message: { content: [call], stopReason: 'max_tokens' }, tools: [] }),
    executeToolCalls({ message, getSteeringMessages: async () => [[{ type: 'text', text: '' }]] }),
    executeToolCalls({ message, approve: ({ toolName }) => toolName === 'read' }),
    executeToolCalls({ message, hooks: [{ beforeToolCall: () => ({ block: true }) }] }),
  ]
  const wrong = () => [
    // @ts-expect-error: there is no message
    executeToolCalls({}),
    // @ts-expect-error: a user makes no calls
    executeToolCalls({ message: user }),
    // @ts-expect-error: a call has its arguments as text
    executeToolCalls({ message: { content: [{ ...call, argsText: { n: 1 } }] } }),
    // @ts-expect-error: only users steer
    executeToolCalls({ message, getSteeringMessages: () => [{ role: 'assistant', content: '' }] }),
    // @ts-expect-error: yes or no
    executeToolCalls({ message, approve: () => 'yes' }),
    // @ts-expect-error: no prompt is submitted
    executeToolCalls({ message, hooks: { onUserPromptSubmit: () => {} } }),
    // @ts-expect-error: no order is left out, not undefined
    executeToolCalls({ message, endOrder: undefined }),
    // @ts-expect-error: nothing is stored
    executeToolCalls({ message, storage: {} }),
  ]
  expectTypeOf(fine).toBeFunction()
  expectTypeOf(wrong).toBeFunction()
})

test('events of calls are distinguished by their type, and their messages are results', () => {
  type Types = ToolCallEvent['type']
  expectTypeOf<Extract<Types, 'agent_start' | 'turn_end' | 'message_update'>>().toBeNever()
  expectTypeOf<
    Extract<ToolCallEvent, { type: 'message_end' }>['message']
  >().toExtend<ToolResultMessage>()
  expectTypeOf<Extract<ToolCallEvent, { type: 'tools_end' }>['terminate']>().toBeBoolean()
  expectTypeOf<Extract<ToolCallEvent, { type: 'tool_execution_end' }>['isError']>().toBeBoolean()
})

test('[S000-11] skipToolCall takes one call and returns its result at once', () => {
  expectTypeOf(skipToolCall).returns.toEqualTypeOf<ToolResultMessage>()
  const wrong = () => [
    // @ts-expect-error: an answer is no call
    skipToolCall(message),
    // @ts-expect-error: its label is text
    skipToolCall(call, { label: 1 }),
  ]
  expectTypeOf(wrong).toBeFunction()
})

test('[S004-11] query takes either a conversation or an input', () => {
  expectTypeOf((options: QueryOptions) => query(options)).returns.toEqualTypeOf<
    Promise<QueryResult<never>>
  >()
  expectTypeOf<QueryResult<{ n: number }>>().toEqualTypeOf<{
    readonly message: AssistantMessage | null
    readonly reason: RunEndReason
    readonly usage: Usage
    readonly error?: RunError
    readonly output?: { n: number }
  }>()
  const typed = () => query({ model, input: 'Hi.', output: z.object({ n: z.number() }) })
  expectTypeOf(typed).returns.toEqualTypeOf<Promise<QueryResult<{ n: number }>>>()
  const fine = () => [
    query({ model, input: 'Hi.' }),
    query({ model, input: [{ type: 'text', text: 'Hi.' }], retry: null, streamIdleMs: null }),
    query({ model, messages: [user, message], tools: [] }),
  ]
  const wrong = () => [
    // @ts-expect-error: there is no input
    query({ model }),
    // @ts-expect-error: one of them
    query({ model, input: 'Hi.', messages: [user] }),
    // @ts-expect-error: there is no model
    query({ input: 'Hi.' }),
    // @ts-expect-error: an answer is an object
    query({ model, input: 'Hi.', output: z.string() }),
    // @ts-expect-error: there is no output to mend
    query({ model, input: 'Hi.', maxRepairs: 1 }),
    // @ts-expect-error: it has no turns
    query({ model, input: 'Hi.', maxTurns: 2 }),
  ]
  expectTypeOf(fine).toBeFunction()
  expectTypeOf(wrong).toBeFunction()
})

test('events of an answer are messages of the model', () => {
  expectTypeOf<AnswerEvent['type']>().toEqualTypeOf<
    'message_start' | 'message_update' | 'message_checkpoint' | 'message_end'
  >()
  expectTypeOf<
    Extract<AnswerEvent, { type: 'message_end' }>['message']
  >().toExtend<AssistantMessage>()
})

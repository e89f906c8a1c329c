export type { ApprovableCall, Approve } from './loop/answer-approvals.ts'
export type { CallingMessage } from './loop/calling-message.ts'
export type {
  ExecutedToolCalls,
  ExecuteToolCallsOptions,
  ToolHooks,
} from './loop/execute-tool-calls.ts'
export { executeToolCalls } from './loop/execute-tool-calls.ts'
export type { AnswerEvent, ToolCallEvent } from './loop/own-events.ts'
export type { QueryOptions, QueryResult } from './loop/query.ts'
export { query } from './loop/query.ts'
export type { SkipToolCallOptions } from './loop/skip-tool-call.ts'
export { skipToolCall } from './loop/skip-tool-call.ts'
export { toolSpecs } from './loop/tool-specs.ts'
export type { ToolArguments } from './loop/validate-tool-arguments.ts'
export { validateToolArguments } from './loop/validate-tool-arguments.ts'

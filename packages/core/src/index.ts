export type { Agent, EventsOptions, PromptOptions } from './agent.ts'
export { AgentBusyError, createAgent } from './agent.ts'
export type { AgentOptions } from './agent-options.ts'
export type { RunResult } from './agent-result.ts'
export type { Json, JsonObject } from './internal/json.ts'
export type { AgentEvent, DurableEvent, EventOf, Place, RunEndReason } from './kernel/events.ts'
export type {
  AssistantContent,
  AssistantMessage,
  ImageContent,
  Message,
  ModelIdentity,
  Part,
  StopReason,
  TextContent,
  ThinkingContent,
  ToolCallContent,
  ToolResultMessage,
  Usage,
  UserMessage,
} from './kernel/message.ts'
export { textOf } from './kernel/message.ts'
export type { RunError, RunErrorKind } from './kernel/run-error.ts'
export type { RunStatus } from './kernel/state.ts'
export type { ToolCallStatus } from './kernel/tool-call.ts'
export type {
  Artifact,
  LogLine,
  PartialToolResult,
  ToolErrorKind,
  ToolOutcome,
  ToolProgress,
  ToolResult,
  ToolTiming,
} from './kernel/tool-result.ts'
export type { Model, ModelChunk, ModelRequest, ToolSpec } from './model/port.ts'
export { ModelError } from './model/port.ts'
export type { AgentState, ChatMessage, ToolCalls } from './store/agent-state.ts'
export type { AgentStore } from './store/store.ts'
export type { CallTimes, ToolCallView } from './store/tool-call-view.ts'
export { checkTools } from './tools/check-tools.ts'
export type {
  Resource,
  Resources,
  Tool,
  ToolInput,
  ToolOptions,
  ToolOutput,
  ToolSchema,
} from './tools/definition.ts'
export { defineTool } from './tools/definition.ts'
export type { ToolHost } from './tools/host.ts'
export type { Execute, Implementation } from './tools/implement.ts'
export { implement } from './tools/implement.ts'
export { inPage } from './tools/page-host.ts'
export { ToolError } from './tools/tool-error.ts'
export { toolResult } from './tools/tool-result.ts'
export type { WorkerHostOptions } from './tools/worker-host.ts'
export { inWorkers } from './tools/worker-host.ts'

export { agentTool } from './agent/agent-tool.ts'
export type { ApprovalResponse } from './agent/approvals.ts'
export { createAgent } from './agent/create-agent.ts'
export type { Agent } from './agent/handle.ts'
export type { AgentChanges, AgentOptions } from './agent/options.ts'
export type { OutputOf, OutputOptions, OutputSchema, PartialOutput } from './agent/output-schema.ts'
export type { UserInput } from './agent/prompt.ts'
export type { RunResult } from './agent/run.ts'
export type { SubAgentOptions } from './agent/sub-agent.ts'
export { AgentBusyError, AgentUsageError } from './agent/usage-errors.ts'
export type { Json, JsonObject } from './internal/json.ts'
export type { AgentEvent, DurableEvent, EventOf } from './kernel/events.ts'
export type {
  AssistantContent,
  AssistantMessage,
  DocumentContent,
  ImageContent,
  Message,
  Part,
  TextContent,
  ThinkingContent,
  ToolCallContent,
  ToolResultMessage,
  Usage,
  UserMessage,
} from './kernel/message.ts'
export { textOf } from './kernel/message.ts'
export type { RunEndReason } from './kernel/run-end-reason.ts'
export type { RunError, RunErrorKind } from './kernel/run-error.ts'
export type { PendingRetry, RunEnd } from './kernel/state.ts'
export type { RunStatus } from './kernel/status.ts'
export type { ToolCallStatus } from './kernel/tool-call.ts'
export type {
  Artifact,
  LogLine,
  PartialToolResult,
  ToolErrorKind,
  ToolOutcome,
  ToolProgress,
  ToolResult,
} from './kernel/tool-outcome.ts'
export type {
  Model,
  ModelChunk,
  ModelRequest,
  OutputFormat,
  StreamOptions,
  ToolSpec,
} from './model/port.ts'
export { ModelError } from './model/port.ts'
export type { AgentHooks } from './runtime/hooks.ts'
export { memoryStorage } from './storage/memory.ts'
export type { SessionStorage } from './storage/port.ts'
export { StorageError } from './storage/port.ts'
export type { AgentState, ChatMessage } from './store/agent-state.ts'
export { canRetry } from './store/can-retry.ts'
export { readOutput } from './store/read-output.ts'
export type { AgentStore } from './store/store.ts'
export type { ToolCallView } from './store/tool-call-view.ts'
export { checkTools } from './tools/check-tools.ts'
export type { Resources, Tool, ToolOptions, ToolPlace } from './tools/definition.ts'
export { defineTool } from './tools/definition.ts'
export type { ToolHost } from './tools/host.ts'
export { inClient } from './tools/page/client-host.ts'
export { crossOriginWorker } from './tools/page/cross-origin-worker.ts'
export { inWorkers } from './tools/page/in-workers.ts'
export { inPage } from './tools/page/page-host.ts'
export type { ToolResultInput, ToolResultValue } from './tools/result/tool-result.ts'
export { toolResult } from './tools/result/tool-result.ts'
export { ToolError } from './tools/tool-error.ts'
export type { ToolSchema } from './tools/tool-schema.ts'
export type { ParsedToolInput, ToolInput, ToolOutput } from './tools/tool-types.ts'
export type { ToolContext } from './tools/worker/context.ts'
export type { Execute, Implementation, ToolAnswer } from './tools/worker/implement.ts'
export { implement } from './tools/worker/implement.ts'

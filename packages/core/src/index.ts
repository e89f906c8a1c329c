export type { AgentHost } from './agent/agent-host.ts'
export type { AgentToolOptions } from './agent/agent-tool.ts'
export { agentTool } from './agent/agent-tool.ts'
export type { ApprovalResponse } from './agent/calls.ts'
export { createAgent } from './agent/create-agent.ts'
export type { Agent, EventsOptions, PromptOptions, SubscribeOptions } from './agent/handle.ts'
export type {
  AgentChanges,
  AgentOptions,
  CompactionOptions,
  RetryOptions,
} from './agent/options.ts'
export type { RunResult } from './agent/run-result.ts'
export { UnknownPriceError } from './agent/settings.ts'
export type { SubAgentOptions } from './agent/sub-agent.ts'
export type { AgentUsageCode } from './agent/usage-errors.ts'
export { AgentBusyError, AgentUsageError } from './agent/usage-errors.ts'
export type { Clock } from './internal/clock.ts'
export type { Json, JsonObject } from './internal/json.ts'
export type {
  AgentEvent,
  AssistantMessageEvent,
  DurableEvent,
  EventOf,
  Place,
  QueuedInput,
  RunEndReason,
  RunTrigger,
  ToolExecution,
} from './kernel/events.ts'
export type { Budget, LoopLimits, QueueMode } from './kernel/kernel-config.ts'
export type {
  AssistantContent,
  AssistantMessage,
  DocumentContent,
  ImageContent,
  InputSource,
  Message,
  ModelIdentity,
  OpaqueContent,
  Part,
  StopReason,
  SystemMessage,
  TextContent,
  ThinkingContent,
  ToolCallContent,
  ToolResultMessage,
  Usage,
  UserMessage,
} from './kernel/message.ts'
export { textOf } from './kernel/message.ts'
export type { RunError, RunErrorKind } from './kernel/run-error.ts'
export type { Queues } from './kernel/state.ts'
export type { RunStatus } from './kernel/status.ts'
export type { CompactionReason, CompactionResult } from './kernel/summary.ts'
export type { CallLogs, ToolCallStatus } from './kernel/tool-call.ts'
export type {
  Artifact,
  ExecutionResult,
  LogLevel,
  LogLine,
  PartialToolResult,
  ToolErrorKind,
  ToolMessage,
  ToolOutcome,
  ToolProgress,
  ToolResult,
  ToolTiming,
} from './kernel/tool-result.ts'
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
export type { AnthropicFormat, AnthropicFormatOptions } from './model/anthropic/format.ts'
export { formatForAnthropic } from './model/anthropic/format.ts'
export type {
  AnthropicBlock,
  AnthropicCacheMark,
  AnthropicDocument,
  AnthropicImage,
  AnthropicMessage,
  AnthropicOwnBlock,
  AnthropicPart,
  AnthropicText,
  AnthropicThinking,
  AnthropicTool,
  AnthropicToolResult,
  AnthropicToolUse,
} from './model/anthropic/messages-api.ts'
export type {
  OpenAIAssistantMessage,
  OpenAIMessage,
  OpenAISystemMessage,
  OpenAITool,
  OpenAIToolCall,
  OpenAIToolMessage,
  OpenAIUserMessage,
  OpenAIUserPart,
} from './model/openai/chat-api.ts'
export type { OpenAIFormat, OpenAIFormatOptions } from './model/openai/format.ts'
export { formatForOpenAI } from './model/openai/format.ts'
export type {
  FinishReason,
  Model,
  ModelChunk,
  ModelRequest,
  StreamOptions,
  ToolSpec,
} from './model/port.ts'
export { ModelError } from './model/port.ts'
export type { Summarize } from './runtime/compact.ts'
export type {
  AgentHooks,
  CallVerdict,
  CheckedCall,
  FinishedCall,
  HookOptions,
  PromptVerdict,
  ResultChange,
  SubmittedPrompt,
} from './runtime/hooks.ts'
export type { EventListener } from './runtime/notifier.ts'
export { memoryStorage } from './storage/memory.ts'
export type { SessionStorage, StorageErrorKind } from './storage/port.ts'
export { StorageError } from './storage/port.ts'
export type { AgentState, ChatMessage } from './store/agent-state.ts'
export type { AgentStore } from './store/store.ts'
export type { ApprovalView, CallTimes, ToolCallView } from './store/tool-call-view.ts'
export type { ToolCalls } from './store/tool-calls.ts'
export { checkTools } from './tools/check-tools.ts'
export type { ContentInput } from './tools/content.ts'
export type {
  NeedsApproval,
  ParsedToolInput,
  Resource,
  Resources,
  Tool,
  ToolInput,
  ToolOptions,
  ToolOutput,
  ToolPlace,
  ToolRetry,
  ToolReturn,
  ToolSchema,
} from './tools/definition.ts'
export { defineTool } from './tools/definition.ts'
export type {
  CallListener,
  CallRequest,
  Execution,
  NewArtifact,
  ReturnedResult,
  Settlement,
  ToolHost,
} from './tools/host.ts'
export { inClient } from './tools/page/client-host.ts'
export { crossOriginWorker } from './tools/page/cross-origin-worker.ts'
export type { PageHostOptions } from './tools/page/page-host.ts'
export { inPage } from './tools/page/page-host.ts'
export type { WorkerLike } from './tools/page/worker-boot.ts'
export type { WorkerHostOptions } from './tools/page/worker-host.ts'
export { inWorkers } from './tools/page/worker-host.ts'
export type { WorkerKeeping } from './tools/page/worker-pool.ts'
export type { LlmContent } from './tools/result/llm-content.ts'
export type { ArtifactInput, ToolResultInput, ToolResultValue } from './tools/result/tool-result.ts'
export { toolResult } from './tools/result/tool-result.ts'
export type { ToolErrorReason } from './tools/tool-error.ts'
export { ToolError } from './tools/tool-error.ts'
export type { ToolArguments } from './tools/validate-tool-arguments.ts'
export { validateToolArguments } from './tools/validate-tool-arguments.ts'
export type { CustomOptions, ToolContext, ToolUpdate } from './tools/worker/context.ts'
export type { Execute, Implementation, ToolAnswer, ToolModule } from './tools/worker/implement.ts'
export { implement } from './tools/worker/implement.ts'

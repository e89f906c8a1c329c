export type { ApprovalAnswer } from './answer-approval.ts'
export type {
  AgentActions,
  AgentView,
  ToolApprovalResponse,
  ToolOutputAnswer,
  UseAgentOptions,
} from './use-agent.ts'
export { useAgent } from './use-agent.ts'
export { useAgentSelector } from './use-agent-selector.ts'
export { formatElapsed, useElapsed } from './use-elapsed.ts'
export type { ToolCallCard } from './use-tool-call.ts'
export { useToolCall } from './use-tool-call.ts'

export type { ApprovalAnswer } from './answer-approval.ts'
export type { EditMessage } from './branches.ts'
export type { AskAgain, SendMessage } from './send-message.ts'
export type { ToolCallCard } from './tool-call-card.ts'
export type { ToolCallProps, ToolUI, ToolUIProps } from './tool-ui.ts'
export { defineToolUI, ToolCall } from './tool-ui.ts'
export type {
  AgentActions,
  AgentView,
  ToolApprovalResponse,
  ToolOutputAnswer,
  UseAgentOptions,
} from './use-agent.ts'
export { useAgent } from './use-agent.ts'
export { useAgentSelector } from './use-agent-selector.ts'
export { useApprovals } from './use-approvals.ts'
export { formatElapsed, useElapsed } from './use-elapsed.ts'
export type { EventLog, EventLogOptions } from './use-event-log.ts'
export { useEventLog } from './use-event-log.ts'
export type { MessageView } from './use-message.ts'
export { useMessage } from './use-message.ts'
export { useOutput } from './use-output.ts'
export type { ReplayView } from './use-replay.ts'
export { useReplay } from './use-replay.ts'
export type { RunEndOptions } from './use-run-end.ts'
export { useTimeline } from './use-timeline.ts'
export { useToolCall } from './use-tool-call.ts'
export type { ToolLogs, ToolLogsOptions } from './use-tool-logs.ts'
export { useToolLogs } from './use-tool-logs.ts'
export { visibleText } from './visible-text.ts'

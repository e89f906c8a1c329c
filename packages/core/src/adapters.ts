export type { BlockEvent } from './adapters/block-events.ts'
export { createBlockEvents } from './adapters/block-events.ts'
export type { ChatEvent } from './adapters/chat-events.ts'
export { createChatEvents } from './adapters/chat-events.ts'
export type { PiContent, PiEvent, PiMessage, PiToolResult } from './adapters/pi-events.ts'
export { createPiEvents } from './adapters/pi-events.ts'
export type { Sendable } from './adapters/server-sent-event.ts'
export { toServerSentEvent } from './adapters/server-sent-event.ts'
export type {
  ServiceEvent,
  ServiceExecutionResult,
  ServiceLoopEvent,
  ServiceToolEvent,
  ServiceToolMessage,
} from './adapters/service-events.ts'
export { createServiceEvents } from './adapters/service-events.ts'
export type { YoagentEvent, YoagentToolResult } from './adapters/yoagent-events.ts'
export { createYoagentEvents } from './adapters/yoagent-events.ts'

export type { BlockEvent } from './block-events.ts'
export { createBlockEvents } from './block-events.ts'
export type { ChatEvent } from './chat-events.ts'
export { createChatEvents } from './chat-events.ts'
export type { PiContent, PiEvent, PiMessage, PiToolResult } from './pi-events.ts'
export { createPiEvents } from './pi-events.ts'
export type { Sendable } from './server-sent-event.ts'
export { toServerSentEvent } from './server-sent-event.ts'
export type {
  ServiceEvent,
  ServiceExecutionResult,
  ServiceLoopEvent,
  ServiceToolEvent,
  ServiceToolMessage,
} from './service-events.ts'
export { createServiceEvents } from './service-events.ts'
export { dataResponse, toolSuccess } from './tool-responses.ts'
export type { YoagentEvent, YoagentToolResult } from './yoagent-events.ts'
export { createYoagentEvents } from './yoagent-events.ts'

export { createChatTransport } from './ai-sdk/chat-transport.ts'
export { fromUIMessages } from './ai-sdk/from-ui-messages.ts'
export type { ReceivedMessage, SdkChunk, SdkMessage, SdkTransport } from './ai-sdk/sdk-types.ts'
export { toUIMessages } from './ai-sdk/to-ui-messages.ts'

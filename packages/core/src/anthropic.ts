export {
  type AnthropicModel,
  type AnthropicOptions,
  anthropic,
} from './model/anthropic/anthropic.ts'
export type { AnthropicCacheTime } from './model/anthropic/cache.ts'
export type {
  AnthropicClient,
  AnthropicClientCall,
  AnthropicClientResponse,
} from './model/anthropic/client.ts'
export type { AnthropicConnectionOptions } from './model/anthropic/connection.ts'
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
  AnthropicExtraBody,
  AnthropicRequestOptions,
  AnthropicThinkingOption,
  AnthropicToolChoice,
} from './model/anthropic/request.ts'
export type { Price } from './model/price.ts'

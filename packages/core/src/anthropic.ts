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
export type {
  AnthropicExtraBody,
  AnthropicRequestOptions,
  AnthropicThinkingOption,
  AnthropicToolChoice,
} from './model/anthropic/request.ts'
export type { Price } from './model/price.ts'

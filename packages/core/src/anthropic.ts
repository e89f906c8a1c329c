export {
  type AnthropicExtraBody,
  type AnthropicOptions,
  anthropic,
} from './model/anthropic/anthropic.ts'
export type { AnthropicConnectionOptions } from './model/anthropic/connection.ts'
export {
  type AnthropicFormat,
  type AnthropicFormatOptions,
  formatForAnthropic,
} from './model/anthropic/format.ts'
export type {
  AnthropicBlock,
  AnthropicDocument,
  AnthropicImage,
  AnthropicMessage,
  AnthropicPart,
  AnthropicText,
  AnthropicThinking,
  AnthropicTool,
  AnthropicToolResult,
  AnthropicToolUse,
} from './model/anthropic/wire.ts'

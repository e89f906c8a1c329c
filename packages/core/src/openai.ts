export type { OpenAIConnectionOptions } from './model/openai/connection.ts'
export {
  formatForOpenAI,
  type OpenAIFormat,
  type OpenAIFormatOptions,
} from './model/openai/format.ts'
export {
  type OpenAIExtraBody,
  type OpenAIOptions,
  type OpenAIToolChoice,
  openai,
} from './model/openai/openai.ts'
export type {
  OpenAIAssistantMessage,
  OpenAIMessage,
  OpenAISystemMessage,
  OpenAITool,
  OpenAIToolCall,
  OpenAIToolMessage,
  OpenAIUserMessage,
  OpenAIUserPart,
} from './model/openai/wire.ts'
export type { Price } from './model/wire/price.ts'

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
export type { OpenAIConnectionOptions } from './model/openai/connection.ts'
export type { OpenAIFormat, OpenAIFormatOptions } from './model/openai/format.ts'
export { formatForOpenAI } from './model/openai/format.ts'
export { type OpenAIOptions, openai } from './model/openai/openai.ts'
export type {
  OpenAIExtraBody,
  OpenAIRequestOptions,
  OpenAIToolChoice,
} from './model/openai/request.ts'
export type { Price } from './model/price.ts'

export type { OpenAIConnectionOptions } from './model/openai/connection.ts'
export {
  type OpenAIExtraBody,
  type OpenAIOptions,
  type OpenAIToolChoice,
  openai,
} from './model/openai/openai.ts'
export type { Price } from './model/price.ts'

import type { OpenAIUserPart } from '../openai/chat-api.ts'

/**
 * An engine of WebLLM, as far as it is used here: an `MLCEngine`, or one that lives in a worker
 * (`CreateWebWorkerMLCEngine`). Another engine with these two methods does as well.
 */
export interface WebLLMEngine {
  /** The part of the engine that answers. */
  readonly chat: {
    /** Answers to whole conversations. */
    readonly completions: {
      /** Answers with the chunks of a Chat Completions API. */
      readonly create: (request: WebLLMRequest) => Promise<AsyncIterable<object>>
    }
  }
  /** Ends the answer that is being written. */
  readonly interruptGenerate: () => unknown
}

/** A request to an engine. */
export interface WebLLMRequest {
  /** The name of a model that the engine has loaded. */
  model: string
  /** The conversation. Instructions come first, and a user has the last word. */
  messages: WebLLMMessage[]
  /** The answer comes in pieces. */
  stream: true
  /** The last piece has the figures. */
  stream_options: { include_usage: true }
  /** `schema` is the text of a JSON Schema. */
  response_format?: { type: 'json_object'; schema: string }
  /** How many tokens the answer may have. */
  max_tokens?: number
  /** How freely words are chosen: from 0 to 2. */
  temperature?: number
  /** Only the most probable words, whose probabilities add up to this, are considered: from 0 to 1. */
  top_p?: number
  /** Whether models of the kind Qwen3 think first. */
  extra_body?: { enable_thinking: boolean }
}

/** One message of a conversation. A user's message has no more than one text. */
export type WebLLMMessage =
  | { role: 'system' | 'assistant'; content: string }
  | { role: 'user'; content: string | Exclude<OpenAIUserPart, { type: 'file' }>[] }

/**
 * What goes to a Chat Completions API, as far as a conversation needs it. The same shapes as in the vendor's
 * package, which nobody has to install for them.
 */
export type OpenAIMessage =
  | OpenAISystemMessage
  | OpenAIUserMessage
  | OpenAIAssistantMessage
  | OpenAIToolMessage

export interface OpenAISystemMessage {
  role: 'system'
  content: string
}

export interface OpenAIUserMessage {
  role: 'user'
  content: string | OpenAIUserPart[]
}

export type OpenAIUserPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }

export interface OpenAIAssistantMessage {
  role: 'assistant'
  /** `null` where an answer is nothing but calls. */
  content: string | null
  tool_calls?: OpenAIToolCall[]
}

export interface OpenAIToolCall {
  id: string
  type: 'function'
  /** `arguments` is the text of a JSON object. */
  function: { name: string; arguments: string }
}

/** The answer to one call. */
export interface OpenAIToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

export interface OpenAITool {
  type: 'function'
  function: {
    name: string
    description?: string
    parameters: { type: 'object'; [keyword: string]: unknown }
  }
}

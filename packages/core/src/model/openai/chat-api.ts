/**
 * What goes to a Chat Completions API, as far as a conversation needs it. The same shapes as in the vendor's
 * package, which need not be installed for them.
 */
export type OpenAIMessage =
  | OpenAISystemMessage
  | OpenAIUserMessage
  | OpenAIAssistantMessage
  | OpenAIToolMessage

/** What the model should know before the conversation. */
export interface OpenAISystemMessage {
  role: 'system'
  content: string
}

/** What a user said: a text, or parts where there are images or PDFs. */
export interface OpenAIUserMessage {
  role: 'user'
  content: string | OpenAIUserPart[]
}

/** A part of what a user said. An image is a data URL, and so is a PDF. */
export type OpenAIUserPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; file: { filename: string; file_data: string } }

/** An answer of the model, with its calls. */
export interface OpenAIAssistantMessage {
  role: 'assistant'
  /** `null` where an answer is nothing but calls. */
  content: string | null
  tool_calls?: OpenAIToolCall[]
}

/** One call of an answer. */
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

/** A tool as the API takes it. */
export interface OpenAITool {
  type: 'function'
  function: {
    name: string
    description?: string
    parameters: { type: 'object'; [keyword: string]: unknown }
  }
}

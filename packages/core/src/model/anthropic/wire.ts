/**
 * What goes to the Messages API, as far as a conversation needs it. The same shapes as in the vendor's
 * package, which nobody has to install for them.
 */
export interface AnthropicMessage {
  role: 'user' | 'assistant'
  content: AnthropicBlock[]
}

/** Anything a message may hold. */
export type AnthropicBlock =
  | AnthropicText
  | AnthropicImage
  | AnthropicDocument
  | AnthropicThinking
  | AnthropicToolUse
  | AnthropicToolResult

/** What a user or a tool may say. */
export type AnthropicPart = AnthropicText | AnthropicImage | AnthropicDocument

/** Some text, never empty. */
export interface AnthropicText {
  type: 'text'
  text: string
}

/** An image as base64 text. */
export interface AnthropicImage {
  type: 'image'
  source: {
    type: 'base64'
    media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
    data: string
  }
}

/** A PDF as base64 text, or plain text. */
export interface AnthropicDocument {
  type: 'document'
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
  title?: string
}

/** Thinking goes back exactly as it came. */
export type AnthropicThinking =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }

/** One call of an answer; `input` is a JSON object. */
export interface AnthropicToolUse {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
}

/** The answer to one call. */
export interface AnthropicToolResult {
  type: 'tool_result'
  tool_use_id: string
  content?: AnthropicPart[]
  /** Present only where it is true. */
  is_error?: true
}

/** A tool as the API is told of it. */
export interface AnthropicTool {
  name: string
  description?: string
  input_schema: { type: 'object'; [keyword: string]: unknown }
  eager_input_streaming?: boolean
}

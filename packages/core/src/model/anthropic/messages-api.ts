/**
 * What goes to the Messages API, as far as a conversation needs it. The same shapes as in the vendor's
 * package, which need not be installed for them.
 */
export interface AnthropicMessage {
  role: 'user' | 'assistant'
  content: AnthropicBlock[]
}

/** Anything a message may hold. */
export type AnthropicBlock =
  | AnthropicPart
  | AnthropicThinking
  | AnthropicToolUse
  | AnthropicToolResult
  | AnthropicOwnBlock

/** What a user or a tool may say. */
export type AnthropicPart = AnthropicText | AnthropicImage | AnthropicDocument

/** The mark of a place where a cache may end. */
export interface AnthropicCacheMark {
  cache_control?: { type: 'ephemeral'; ttl?: '1h' }
}

/** Some text, never empty. */
export interface AnthropicText extends AnthropicCacheMark {
  type: 'text'
  text: string
}

/** An image as base64 text. */
export interface AnthropicImage extends AnthropicCacheMark {
  type: 'image'
  source: {
    type: 'base64'
    media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
    data: string
  }
}

/** A PDF as base64 text, or plain text. */
export interface AnthropicDocument extends AnthropicCacheMark {
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
export interface AnthropicToolResult extends AnthropicCacheMark {
  type: 'tool_result'
  tool_use_id: string
  content?: AnthropicPart[]
  /** Present only where it is true. */
  is_error?: true
}

/**
 * A block of the vendor's own, exactly as it came: a search it made, what it found. There are many kinds and
 * more to come; here they all go by the shape of one of them.
 */
export interface AnthropicOwnBlock {
  type: 'server_tool_use'
  id: string
  name: 'web_search'
  input: unknown
}

/** A tool as the API takes it. */
export interface AnthropicTool extends AnthropicCacheMark {
  name: string
  description?: string
  input_schema: { type: 'object'; [keyword: string]: unknown }
  eager_input_streaming?: boolean
}

const rules = {
  body: 'a request must be an object',
  body_fields: 'extra inputs are not permitted',
  model: 'must be a text',
  max_tokens: 'must be a whole number of at least 1',
  system: 'must be a text, or text blocks, that say something',
  unicode: 'no low surrogate in string',
  tools_defined: 'requests which include tool_use or tool_result blocks must define tools',
  tools_empty: 'must not be empty',
  tool_name: 'must match ^[a-zA-Z0-9_-]{1,64}$',
  tool_unique: 'tool names must be unique',
  tool_schema: 'must be a JSON Schema of type object',
  tool_fields: 'extra inputs are not permitted',
  tool_choice: 'may only be given while providing tools',
  output_format: 'must be {type: json_schema, schema} with keywords that are supported',
  output_closed: "for 'object' type, 'additionalProperties' must be explicitly set to false",
  messages_empty: 'at least one message is required',
  message_role: 'must be user or assistant',
  message_fields: 'extra inputs are not permitted',
  first_user: 'the first message must be from the user',
  // The vendor joins neighbours of one role; servers that only resemble it refuse them.
  alternate: 'roles must alternate between user and assistant',
  content_empty: 'messages must have non-empty content',
  block_type: 'this block is not allowed in a message of this role',
  block_fields: 'extra inputs are not permitted',
  text_empty: 'text content blocks must contain non-whitespace text',
  prefill: 'this model does not support assistant message prefill: it must end with a user message',
  text_trailing_space: 'final assistant content cannot end with trailing whitespace',
  image: 'must be base64 data of a jpeg, png, gif or webp, or an https url',
  document: 'must be base64 data of a pdf, or plain text that says something',
  document_title: 'must be a text of 1 to 500 characters',
  id_pattern: 'must match ^[a-zA-Z0-9_-]{1,64}$',
  id_unique: 'tool_use ids must be unique',
  input_object: 'must be an object',
  call_unanswered: 'tool_use ids were found without tool_result blocks immediately after',
  result_orphan: 'unexpected tool_use_id: the previous message has no such tool_use block',
  result_twice: 'each tool_use must have a single result',
  results_first: 'the results of the calls before it must come first',
  results_order: 'results must be in the order of the calls',
  // From the vendor's documentation: text after results teaches the model to end its turns early.
  results_text: 'no text after results unless the user wrote it',
  is_error: 'must be true or absent',
  error_content: 'content cannot be empty and must all be text if is_error is true',
  result_content: 'must be a text, or text, image and document blocks',
  thinking_signed: 'thinking blocks need a signature',
  thinking_unchanged: 'thinking blocks cannot be modified',
  thinking_last: 'the final block in an assistant message cannot be thinking',
  redacted: 'redacted thinking needs its data',
  own_unanswered: 'server_tool_use ids were found without a corresponding result block',
  own_orphan: 'unexpected tool_use_id: there is no such server_tool_use block',
  cache_control: 'must be {type: ephemeral} with a ttl of 5m or 1h',
  cache_limit: 'a maximum of 4 blocks with cache_control may be provided',
} as const

type Rule = keyof typeof rules

/** The names of all rules: each problem starts with one of them in brackets. */
export const anthropicRules: readonly string[] = Object.keys(rules)

/** What a judge may be given besides the request. What is not given is not checked. */
export interface AnthropicKnowledge {
  /** The thinking this server has given out, by signature. */
  readonly issued?: ReadonlyMap<string, string>
  /** Every text that a user wrote. */
  readonly userTexts?: ReadonlySet<string>
}

/** What has been found, and the place that is being looked at; -1 where there is none. */
export interface Judge {
  readonly knowledge: AnthropicKnowledge
  readonly problems: string[]
  message: number
  block: number
  part: number
  role: string
}

export function report({ problems, message, block, part }: Judge, rule: Rule, detail = ''): void {
  const place = [
    message < 0 ? 'body' : `messages.${message}`,
    ...(block < 0 ? [] : [`content.${block}`]),
    ...(part < 0 ? [] : [`content.${part}`]),
    ...(detail === '' ? [] : [detail]),
  ]
  problems.push(`[${rule}] ${place.join('.')}: ${rules[rule]}`)
}

const legalName = /^[a-zA-Z0-9_-]{1,64}$/

/** Whether it may be the name of a tool, or the id of a call. */
export function isName(value: unknown): boolean {
  return typeof value === 'string' && legalName.test(value)
}

import {
  extraField,
  type Fields,
  isBase64,
  isFields,
  isInked,
  isList,
  isUnicode,
} from '../strict-json.fixtures.ts'

/**
 * A judge of Messages requests, written from the vendor's documentation and error messages and from nothing
 * else: it shares no code with the formatter.
 */

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

/**
 * What the Messages API would refuse in a whole request, or what makes its models worse; empty for a legal
 * one. For instance `[first_user] messages.0: the first message must be from the user`.
 */
export function anthropicProblems(
  body: unknown,
  knowledge: AnthropicKnowledge = {},
): readonly string[] {
  const judge: Judge = { knowledge, problems: [], message: -1, block: -1, part: -1, role: '' }
  if (!isFields(body)) report(judge, 'body')
  else {
    judgeBody(body, judge)
    judgeMessages(body['messages'], judge)
    judgePairs(body, judge)
    judgeOwnPairs(body, judge)
    judgeCache(body, judge)
  }
  return judge.problems
}

/** What has been found, and the place that is being looked at; -1 where there is none. */
interface Judge {
  readonly knowledge: AnthropicKnowledge
  readonly problems: string[]
  message: number
  block: number
  part: number
  role: string
}

function report({ problems, message, block, part }: Judge, rule: Rule, detail = ''): void {
  const place = [
    message < 0 ? 'body' : `messages.${message}`,
    ...(block < 0 ? [] : [`content.${block}`]),
    ...(part < 0 ? [] : [`content.${part}`]),
    ...(detail === '' ? [] : [detail]),
  ]
  problems.push(`[${rule}] ${place.join('.')}: ${rules[rule]}`)
}

const bodyFields = new Set(
  'cache_control container context_management diagnostics inference_geo max_tokens mcp_servers messages metadata model output_config service_tier speed stop_sequences stream system temperature thinking tool_choice tools top_k top_p user_profile_id workspace_id'.split(
    ' ',
  ),
)

function judgeBody(body: Fields, judge: Judge): void {
  const extra = extraField(body, bodyFields)
  if (extra !== undefined) report(judge, 'body_fields', extra)
  if (!isInked(body['model'])) report(judge, 'model', 'model')
  const maxTokens = body['max_tokens']
  if (!Number.isInteger(maxTokens) || Number(maxTokens) < 1) report(judge, 'max_tokens')
  if (!isSystem(body['system'])) report(judge, 'system')
  if (!isUnicode(body['system']) || !isUnicode(body['tools'])) report(judge, 'unicode')
  judgeTools(body, judge)
  const config = body['output_config']
  const format = isFields(config) ? config['format'] : undefined
  if (format !== undefined && format !== null) judgeOutput(format, judge)
}

const schemaFields = new Set(
  'type properties required additionalProperties items enum const anyOf title description'.split(
    ' ',
  ),
)

function judgeOutput(format: unknown, judge: Judge): void {
  const schema = isFields(format) ? format['schema'] : undefined
  const isFormat = isFields(format) && format['type'] === 'json_schema'
  if (!isFormat || !isFields(schema) || extraField(format, new Set(['type', 'schema'])))
    report(judge, 'output_format')
  else judgeSchema(schema, judge)
}

function judgeSchema(part: unknown, judge: Judge): void {
  if (!isFields(part)) {
    report(judge, 'output_format')
    return
  }
  const extra = extraField(part, schemaFields)
  if (extra !== undefined) report(judge, 'output_format', extra)
  const { type, properties, items, anyOf } = part
  if (type === 'object' && part['additionalProperties'] !== false) report(judge, 'output_closed')
  for (const one of isFields(properties) ? Object.values(properties) : []) judgeSchema(one, judge)
  for (const one of isList(anyOf) ? anyOf : []) judgeSchema(one, judge)
  if (items !== undefined) judgeSchema(items, judge)
}

function isSystem(system: unknown): boolean {
  if (system === undefined || isInked(system)) return true
  return (
    isList(system) &&
    system.length > 0 &&
    system.every((block) => isFields(block) && block['type'] === 'text' && isInked(block['text']))
  )
}

const legalName = /^[a-zA-Z0-9_-]{1,64}$/
const toolFields = new Set(
  'allowed_callers cache_control defer_loading description eager_input_streaming input_examples input_schema name strict type'.split(
    ' ',
  ),
)

function judgeTools({ tools, tool_choice: choice }: Fields, judge: Judge): void {
  if (tools === undefined) {
    if (choice !== undefined) report(judge, 'tool_choice')
    return
  }
  const names = new Set<unknown>()
  const list = isList(tools) ? tools : []
  if (list.length === 0) report(judge, 'tools_empty')
  for (const [index, tool] of list.entries()) {
    const { name, input_schema: schema } = isFields(tool) ? tool : {}
    if (!isName(name)) report(judge, 'tool_name', `tools.${index}`)
    if (names.has(name)) report(judge, 'tool_unique', `tools.${index}`)
    names.add(name)
    if (!isFields(schema) || schema['type'] !== 'object') {
      report(judge, 'tool_schema', `tools.${index}`)
    }
    const extra = isFields(tool) ? extraField(tool, toolFields) : undefined
    if (extra !== undefined) report(judge, 'tool_fields', `tools.${index}.${extra}`)
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && legalName.test(value)
}

const messageFields = new Set(['role', 'content'])

function judgeMessages(messages: unknown, judge: Judge): void {
  if (!isList(messages) || messages.length === 0) {
    report(judge, 'messages_empty')
    return
  }
  let before: unknown
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]
    judge.message = index
    const fields = isFields(message) ? message : {}
    const { role } = fields
    if (role !== 'user' && role !== 'assistant') report(judge, 'message_role')
    else if (index === 0 && role !== 'user') report(judge, 'first_user')
    else if (role === before) report(judge, 'alternate')
    before = role
    const extra = extraField(fields, messageFields)
    if (extra !== undefined) report(judge, 'message_fields', extra)
    judge.role = String(role)
    judgeContent(fields['content'], judge)
    if (role !== 'assistant') continue
    judgeEnding(fields['content'], index === messages.length - 1, judge)
  }
  judge.message = -1
}

function isWork(block: unknown): boolean {
  return (
    isFields(block) &&
    /^(tool_use|server_tool_use|web_search_tool_result)$/.test(String(block['type']))
  )
}

function judgeContent(content: unknown, judge: Judge): void {
  if (typeof content === 'string') judgeText(content, judge)
  else if (!isList(content) || content.length === 0) report(judge, 'content_empty')
  else {
    for (let index = 0; index < content.length; index += 1) {
      judge.block = index
      judgeBlock(content[index], judge)
    }
    judge.block = -1
  }
}

function judgeEnding(content: unknown, isFinal: boolean, judge: Judge): void {
  const last = isList(content) ? content.at(-1) : undefined
  const type = isFields(last) ? last['type'] : undefined
  if (type === 'thinking' || type === 'redacted_thinking') report(judge, 'thinking_last')
  if (!isFinal) return
  // An answer that paused in the vendor's own work continues by itself; a call without its result is another mistake.
  const isPaused = isList(content) && content.some(isWork)
  if (!isPaused) report(judge, 'prefill')
  const text = isFields(last) ? last['text'] : content
  if (typeof text === 'string' && /\s$/.test(text)) report(judge, 'text_trailing_space')
}

const fieldsOf: { readonly [role: string]: { readonly [type: string]: ReadonlySet<string> } } = {
  user: {
    text: new Set(['type', 'text', 'cache_control', 'citations']),
    image: new Set(['type', 'source', 'cache_control', 'transformations']),
    document: new Set(['type', 'source', 'title', 'context', 'citations', 'cache_control']),
    tool_result: new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']),
  },
  assistant: {
    text: new Set(['type', 'text', 'cache_control', 'citations']),
    tool_use: new Set(['type', 'id', 'name', 'input', 'cache_control', 'caller']),
    thinking: new Set(['type', 'thinking', 'signature']),
    redacted_thinking: new Set(['type', 'data']),
    server_tool_use: new Set(['type', 'id', 'name', 'input', 'cache_control', 'caller']),
    web_search_tool_result: new Set(['type', 'tool_use_id', 'content', 'cache_control', 'caller']),
  },
}

function judgeBlock(block: unknown, judge: Judge): void {
  const type = isFields(block) ? String(block['type']) : ''
  const allowed = fieldsOf[judge.role]?.[type]
  if (!isFields(block) || !allowed) {
    report(judge, 'block_type')
    return
  }
  const extra = extraField(block, allowed)
  if (extra !== undefined) report(judge, 'block_fields', extra)
  switch (type) {
    case 'text':
      judgeText(block['text'], judge)
      break
    case 'image':
      if (!isImage(block['source'])) report(judge, 'image')
      break
    case 'document':
      judgeDocument(block, judge)
      break
    case 'tool_use':
    case 'server_tool_use':
      judgeUse(block, judge)
      break
    case 'tool_result':
      judgeResult(block, judge)
      break
    case 'thinking':
      judgeThinking(block, judge)
      break
    case 'redacted_thinking':
      if (!isInked(block['data'])) report(judge, 'redacted')
  }
}

function judgeText(text: unknown, judge: Judge): void {
  if (!isInked(text)) report(judge, 'text_empty')
  else if (!isUnicode(text)) report(judge, 'unicode')
}

const imageTypes = new Set<unknown>(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function isImage(source: unknown): boolean {
  if (!isFields(source)) return false
  const { type, url, media_type: mediaType, data } = source
  if (type === 'url') return typeof url === 'string' && /^https:\/\/./.test(url)
  return type === 'base64' && imageTypes.has(mediaType) && isBase64(data)
}

function judgeDocument({ source, title }: Fields, judge: Judge): void {
  const { type, media_type: mediaType, data } = isFields(source) ? source : {}
  const isPdf = type === 'base64' && mediaType === 'application/pdf' && isBase64(data)
  const isPlain = type === 'text' && mediaType === 'text/plain' && isInked(data)
  if (!isPdf && !isPlain) report(judge, 'document')
  const isTitle = isInked(title) && title.length <= 500
  if (title !== undefined && !isTitle) report(judge, 'document_title')
  if (!isUnicode(data) || !isUnicode(title)) report(judge, 'unicode')
}

function judgeUse({ id, name, input }: Fields, judge: Judge): void {
  if (!isName(id)) report(judge, 'id_pattern', 'id')
  if (!isName(name)) report(judge, 'tool_name', 'name')
  if (!isFields(input)) report(judge, 'input_object', 'input')
  if (!isUnicode(input)) report(judge, 'unicode', 'input')
}

function judgeResult(block: Fields, judge: Judge): void {
  const { content, is_error: isError, tool_use_id: id } = block
  if (!isName(id)) report(judge, 'id_pattern', 'tool_use_id')
  if (isError !== undefined && isError !== true) report(judge, 'is_error')
  if (isError === true && !isErrorContent(content)) report(judge, 'error_content')
  if (content === undefined || typeof content === 'string') {
    if (!isUnicode(content)) report(judge, 'unicode')
    return
  }
  if (!isList(content)) {
    report(judge, 'result_content')
    return
  }
  for (let index = 0; index < content.length; index += 1) {
    judge.part = index
    const part = content[index]
    const type = isFields(part) ? part['type'] : undefined
    if (type === 'text' || type === 'image' || type === 'document') judgeBlock(part, judge)
    else report(judge, 'result_content')
  }
  judge.part = -1
}

function isErrorContent(content: unknown): boolean {
  if (!isList(content)) return isInked(content)
  const isText = (part: unknown) => isFields(part) && part['type'] === 'text'
  return content.length > 0 && content.every(isText)
}

function judgeThinking({ thinking, signature }: Fields, judge: Judge): void {
  const { issued } = judge.knowledge
  if (typeof thinking !== 'string' || !isInked(signature)) report(judge, 'thinking_signed')
  else if (issued && issued.get(signature) !== thinking) report(judge, 'thinking_unchanged')
  else if (!isUnicode(thinking)) report(judge, 'unicode')
}

/** Every call is answered once, in the next message, first thing there, in call order. */
function judgePairs(body: Fields, judge: Judge): void {
  const messages = isList(body['messages']) ? body['messages'] : []
  const seen = new Set<string>()
  let hasToolBlock = false
  let open: readonly string[] = []
  for (let index = 0; index < messages.length; index += 1) {
    judge.message = index
    const message = messages[index]
    const content = isFields(message) ? message['content'] : undefined
    const blocks = isList(content) ? content : []
    const results = idsOf(blocks, 'tool_result', 'tool_use_id')
    if (results.length > 0 || open.length > 0) judgeAnswers(open, results, judge)
    if (results.length > 0) judgePlaces(blocks, results.length, judge)
    open = idsOf(blocks, 'tool_use', 'id')
    hasToolBlock ||= open.length > 0 || results.length > 0
    for (const id of open) {
      if (seen.has(id)) report(judge, 'id_unique', id)
      seen.add(id)
    }
  }
  for (const id of open) report(judge, 'call_unanswered', id)
  judge.message = -1
  if (hasToolBlock && body['tools'] === undefined) report(judge, 'tools_defined')
}

function judgeAnswers(open: readonly string[], results: readonly string[], judge: Judge): void {
  if (open.length === results.length && open.every((id, index) => id === results[index])) return
  const given = new Set<string>()
  for (const id of results) {
    if (!open.includes(id)) report(judge, 'result_orphan', id)
    else if (given.has(id)) report(judge, 'result_twice', id)
    given.add(id)
  }
  for (const id of open) if (!given.has(id)) report(judge, 'call_unanswered', id)
  const wanted = open.filter((id) => given.has(id))
  const got = [...given].filter((id) => open.includes(id))
  if (got.some((id, index) => id !== wanted[index])) report(judge, 'results_order')
}

/** `count` results come first, and of ours there is nothing after them. */
function judgePlaces(blocks: readonly unknown[], count: number, judge: Judge): void {
  const { userTexts } = judge.knowledge
  for (let index = 0; index < blocks.length; index += 1) {
    const block = blocks[index]
    const type = isFields(block) ? block['type'] : undefined
    if (index < count && type !== 'tool_result') report(judge, 'results_first')
    if (!userTexts || !isFields(block) || type !== 'text') continue
    if (!userTexts.has(String(block['text']))) report(judge, 'results_text')
  }
}

/** What the vendor does itself has its result in the same answer or in a later one. */
function judgeOwnPairs(body: Fields, judge: Judge): void {
  const messages = isList(body['messages']) ? body['messages'] : []
  const answers = messages.map((message) => {
    const content = isFields(message) ? message['content'] : undefined
    return isList(content) ? content : []
  })
  const blocks = answers.flat()
  const calls = new Set(idsOf(blocks, 'server_tool_use', 'id'))
  const results = new Set(idsOf(blocks, 'web_search_tool_result', 'tool_use_id'))
  for (const id of results) if (!calls.has(id)) report(judge, 'own_orphan', id)
  const last = answers.findLast((content) => idsOf(content, 'tool_result', 'type').length === 0)
  const awaited = new Set(idsOf(last ?? [], 'server_tool_use', 'id'))
  for (const id of calls) {
    if (!results.has(id) && !awaited.has(id)) report(judge, 'own_unanswered', id)
  }
}

function judgeCache(body: Fields, judge: Judge): void {
  const marks = marksIn(body)
  if (marks.length > 4) report(judge, 'cache_limit')
  for (const mark of marks) {
    const { type, ttl, ...rest } = isFields(mark) ? mark : {}
    const isTime = ttl === undefined || ttl === '5m' || ttl === '1h'
    const isMark = type === 'ephemeral' && isTime && Object.keys(rest).length === 0
    if (!isMark) report(judge, 'cache_control')
  }
}

function marksIn(value: unknown): readonly unknown[] {
  if (isList(value)) return value.flatMap(marksIn)
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([key, field]) => {
    if (key === 'cache_control') return [field]
    // What the model and the tools wrote is no request.
    return key === 'input' || key === 'input_schema' ? [] : marksIn(field)
  })
}

function idsOf(blocks: readonly unknown[], type: string, key: string): readonly string[] {
  const ids: string[] = []
  for (const block of blocks) {
    if (isFields(block) && block['type'] === type) ids.push(String(block[key]))
  }
  return ids
}

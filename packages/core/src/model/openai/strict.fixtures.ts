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
 * A judge of Chat Completions requests, written from the vendor's documentation and error messages and from
 * nothing else: it shares no code with the formatter.
 */

const rules = {
  body: 'a request must be an object',
  body_fields: 'unrecognized request argument supplied',
  model: 'you must provide a model parameter',
  unicode: 'we could not parse the JSON body of your request',
  tools_empty: '[] is too short',
  tools_many: 'at most 128 tools',
  tool_type: 'must be a function with a name and nothing unknown',
  tool_name: 'must match ^[a-zA-Z0-9_-]{1,64}$',
  tool_unique: 'tool names must be unique',
  tool_schema: 'parameters must be a JSON Schema of type object',
  output_format:
    'must be {type: json_schema, json_schema: {name, strict, schema}} and nothing else',
  output_strict: 'every object must list all of its properties as required, and allow no others',
  tool_choice: 'only allowed when tools are specified',
  messages_empty: '[] is too short',
  message_role: 'must be system, developer, user, assistant or tool',
  message_fields: 'additional properties are not allowed',
  // Fine with the vendor; the chat templates of many servers that resemble it refuse it.
  alternate: 'user and assistant must alternate',
  content_empty: 'content must not be empty',
  content_null: 'content may be null only beside tool_calls',
  content_type: 'expected a text or a list of parts that this role may hold',
  part_fields: 'additional properties are not allowed',
  text_empty: 'a text part must say something',
  image: 'expected an https url or a base64 data url of a png, jpeg, gif or webp',
  file: 'expected a filename and a base64 data url of a pdf',
  calls_empty: '[] is too short',
  call_type: 'must be {id, type: function, function: {name, arguments}} and nothing else',
  id_pattern: 'must be a text of 1 to 40 plain characters',
  id_unique: 'duplicate tool call id',
  arguments: 'must be a text that is a JSON object',
  call_unanswered:
    "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
  result_orphan:
    "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
  result_twice: 'each tool call must have a single response',
  results_order: 'responses must be in the order of the calls',
  result_content: 'must be a text or a list of text parts',
} as const

type Rule = keyof typeof rules

/** The names of all rules: each problem starts with one of them in brackets. */
export const openaiRules: readonly string[] = Object.keys(rules)

/**
 * What Chat Completions, or a server made after it, would refuse in a whole request; empty for a legal one.
 * For instance `[result_orphan] messages[2]: messages with role 'tool' must be …`.
 */
export function openaiProblems(body: unknown): readonly string[] {
  const problems: string[] = []
  const report: Report = (rule, at) => void problems.push(`[${rule}] ${at()}: ${rules[rule]}`)
  if (!isFields(body)) report('body', () => 'body')
  else {
    judgeBody(body, report)
    judgeMessages(body['messages'], report)
  }
  return problems
}

/** Where something is, put into words only if it is wrong. */
type At = () => string
type Report = (rule: Rule, at: At) => void

const bodyFields = new Set(
  'audio frequency_penalty logit_bias logprobs max_completion_tokens max_tokens messages metadata modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'.split(
    ' ',
  ),
)

function judgeBody(body: Fields, report: Report): void {
  const { tools, tool_choice: choice, parallel_tool_calls: parallel } = body
  const extra = extraField(body, bodyFields)
  if (extra !== undefined) report('body_fields', () => extra)
  if (!isInked(body['model'])) report('model', () => 'model')
  if (body['response_format'] !== undefined) judgeOutput(body['response_format'], report)
  if (tools === undefined) {
    if (choice !== undefined || parallel !== undefined) report('tool_choice', () => 'tool_choice')
    return
  }
  if (!isUnicode(tools)) report('unicode', () => 'tools')
  const list = isList(tools) ? tools : []
  if (list.length === 0) report('tools_empty', () => 'tools')
  if (list.length > 128) report('tools_many', () => 'tools')
  const names = new Set<unknown>()
  for (const [index, tool] of list.entries()) {
    const at: At = () => `tools[${index}]`
    judgeTool(tool, report, at)
    const name = nameOf(tool)
    if (names.has(name)) report('tool_unique', at)
    names.add(name)
  }
}

const formatFields = new Set(['type', 'json_schema'])
const outputFields = new Set(['name', 'description', 'strict', 'schema'])

function judgeOutput(format: unknown, report: Report): void {
  const output = isFields(format) ? format['json_schema'] : undefined
  const schema = isFields(output) ? output['schema'] : undefined
  if (!isFields(format) || !isFields(output) || !isFields(schema)) {
    report('output_format', () => 'response_format')
    return
  }
  const extra = extraField(format, formatFields) ?? extraField(output, outputFields)
  const isNamed = isName(output['name']) && format['type'] === 'json_schema'
  if (extra !== undefined || !isNamed) report('output_format', () => `response_format.${extra}`)
  if (schema['type'] !== 'object') report('output_format', () => 'response_format.schema')
  if (output['strict'] === true) judgeStrict(schema, report, () => 'response_format.schema')
}

function judgeStrict(part: unknown, report: Report, at: At): void {
  if (isList(part)) for (const one of part) judgeStrict(one, report, at)
  if (!isFields(part)) return
  const { type, properties, required, additionalProperties } = part
  if (type === 'object') {
    const names = isFields(properties) ? Object.keys(properties) : []
    const listed = isList(required) ? required : []
    const isWhole = names.every((name) => listed.includes(name)) && listed.length === names.length
    if (!isWhole || additionalProperties !== false) report('output_strict', at)
  }
  const inner = isFields(properties) ? Object.values(properties) : []
  for (const one of [...inner, part['items'], part['anyOf']]) judgeStrict(one, report, at)
}

const toolFields = new Set(['type', 'function'])
const functionFields = new Set(['name', 'description', 'parameters', 'strict'])

function judgeTool(tool: unknown, report: Report, at: At): void {
  const definition = isFields(tool) ? tool['function'] : undefined
  if (!isFields(tool) || tool['type'] !== 'function' || !isFields(definition)) {
    report('tool_type', at)
    return
  }
  const extra = extraField(tool, toolFields) ?? extraField(definition, functionFields)
  if (extra !== undefined) report('tool_type', () => `${at()}.${extra}`)
  if (!isName(definition['name'])) report('tool_name', at)
  const schema = definition['parameters']
  if (schema !== undefined && (!isFields(schema) || schema['type'] !== 'object')) {
    report('tool_schema', at)
  }
}

function nameOf(tool: unknown): unknown {
  const definition = isFields(tool) ? tool['function'] : undefined
  return isFields(definition) ? definition['name'] : undefined
}

const legalName = /^[a-zA-Z0-9_-]{1,64}$/

function isName(value: unknown): boolean {
  return typeof value === 'string' && legalName.test(value)
}

/** Calls that wait for their tool messages, and every id so far. */
interface Calls {
  open: string[]
  /** Those of the last message that called, answered or not. */
  last: readonly string[]
  readonly seen: Set<string>
}

function judgeMessages(messages: unknown, report: Report): void {
  if (!isList(messages) || messages.length === 0) {
    report('messages_empty', () => 'messages')
    return
  }
  const calls: Calls = { open: [], last: [], seen: new Set() }
  let before: unknown
  for (const [index, message] of messages.entries()) {
    const at: At = () => `messages[${index}]`
    const role = isFields(message) ? message['role'] : undefined
    if (!isFields(message) || !fieldsOf.has(role)) {
      report('message_role', at)
      continue
    }
    const extra = extraField(message, fieldsOf.get(role) ?? new Set())
    if (extra !== undefined) report('message_fields', () => `${at()}.${extra}`)
    if (role === 'tool') {
      judgeResult(message, { report, at, calls })
    } else {
      reportOpen(calls, report, at)
      if (role === before && (role === 'user' || role === 'assistant')) report('alternate', at)
      judgeContent(message, { report, at, role })
      if (role === 'assistant') judgeCalls(message['tool_calls'], { report, at, calls })
    }
    before = role
  }
  reportOpen(calls, report, () => 'after the last message')
}

function reportOpen(calls: Calls, report: Report, at: At): void {
  for (const id of calls.open) report('call_unanswered', () => `${at()} (${id})`)
  calls.open = []
  calls.last = []
}

const fieldsOf: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['system', new Set(['role', 'content', 'name'])],
  ['developer', new Set(['role', 'content', 'name'])],
  ['user', new Set(['role', 'content', 'name'])],
  ['assistant', new Set(['role', 'content', 'name', 'refusal', 'audio', 'tool_calls'])],
  ['tool', new Set(['role', 'content', 'tool_call_id'])],
])

interface Saying {
  readonly report: Report
  readonly at: At
  readonly role: unknown
}

function judgeContent(message: Fields, { report, at, role }: Saying): void {
  const { content } = message
  if (content === null || content === undefined) {
    const isAllowed = role === 'assistant' && message['tool_calls'] !== undefined
    if (!isAllowed) report('content_null', at)
    return
  }
  if (typeof content === 'string') {
    if (!isInked(content)) report('content_empty', at)
    if (!isUnicode(content)) report('unicode', at)
    return
  }
  if (!isList(content)) {
    report('content_type', at)
    return
  }
  if (content.length === 0) report('content_empty', at)
  for (const [index, part] of content.entries()) {
    judgePart(part, { report, role, at: () => `${at()}.content[${index}]` })
  }
}

const textFields = new Set(['type', 'text'])
const imageFields = new Set(['type', 'image_url'])
const fileFields = new Set(['type', 'file'])
const urlFields = new Set(['url', 'detail'])

function judgePart(part: unknown, { report, at, role }: Saying): void {
  const type = isFields(part) ? part['type'] : undefined
  if (isFields(part) && type === 'text') {
    if (extraField(part, textFields) !== undefined) report('part_fields', at)
    if (!isInked(part['text'])) report('text_empty', at)
    if (!isUnicode(part['text'])) report('unicode', at)
  } else if (isFields(part) && type === 'image_url' && role === 'user') {
    const image = part['image_url']
    const url = isFields(image) ? image['url'] : undefined
    if (typeof url !== 'string' || !isImage(url)) report('image', at)
    const extra =
      extraField(part, imageFields) ?? extraField(isFields(image) ? image : {}, urlFields)
    if (extra !== undefined) report('part_fields', at)
  } else if (isFields(part) && type === 'file' && role === 'user') {
    if (!isFile(part['file'])) report('file', at)
    if (extraField(part, fileFields) !== undefined) report('part_fields', at)
  } else report('content_type', at)
}

function isFile(file: unknown): boolean {
  const { filename, file_data: url } = isFields(file) ? file : {}
  const [, data] = /^data:application\/pdf;base64,(.*)/s.exec(String(url)) ?? []
  return isInked(filename) && isUnicode(filename) && data !== undefined && isBase64(data)
}

function isImage(url: string): boolean {
  if (/^https:\/\/./.test(url)) return true
  const head = /^data:image\/(?:png|jpeg|gif|webp);base64,/.exec(url)?.[0]
  return head !== undefined && isBase64(url.slice(head.length))
}

interface Calling {
  readonly report: Report
  readonly at: At
  readonly calls: Calls
}

const callFields = new Set(['id', 'type', 'function'])
const calledFields = new Set(['name', 'arguments'])

function judgeCalls(list: unknown, { report, at, calls }: Calling): void {
  if (list === undefined) return
  if (!isList(list) || list.length === 0) {
    report('calls_empty', () => `${at()}.tool_calls`)
    return
  }
  for (const [index, call] of list.entries()) {
    const place: At = () => `${at()}.tool_calls[${index}]`
    const called = isFields(call) ? call['function'] : undefined
    if (!isFields(call) || call['type'] !== 'function' || !isFields(called)) {
      report('call_type', place)
      continue
    }
    const extra = extraField(call, callFields) ?? extraField(called, calledFields)
    if (extra !== undefined) report('call_type', () => `${place()}.${extra}`)
    if (!isName(called['name'])) report('tool_name', place)
    if (!isJsonObject(called['arguments'])) report('arguments', place)
    const id = String(call['id'])
    if (typeof call['id'] !== 'string' || !/^[\x21-\x7e]{1,40}$/.test(id))
      report('id_pattern', place)
    if (calls.seen.has(id)) report('id_unique', place)
    calls.seen.add(id)
    calls.open.push(id)
  }
  calls.last = [...calls.open]
}

function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) && isUnicode(value)
  } catch {
    return false
  }
}

function judgeResult(
  { tool_call_id: given, content }: Fields,
  { report, at, calls }: Calling,
): void {
  const id = String(given)
  const place = calls.open.indexOf(id)
  if (place > 0) report('results_order', () => `${at()} (${id})`)
  if (place >= 0) calls.open.splice(place, 1)
  else report(calls.last.includes(id) ? 'result_twice' : 'result_orphan', () => `${at()} (${id})`)
  const isText =
    typeof content === 'string' ||
    (isList(content) &&
      content.every((part) => isFields(part) && part['type'] === 'text' && isInked(part['text'])))
  if (!isText || (isList(content) && content.length === 0)) report('result_content', at)
  else if (!isUnicode(content)) report('unicode', at)
}

import {
  extraField,
  type Fields,
  isFields,
  isInked,
  isList,
  isUnicode,
} from '../strict-json.fixtures.ts'
import { isName, type Judge, report } from './strict-rules.fixtures.ts'

const bodyFields = new Set(
  'cache_control container context_management diagnostics inference_geo max_tokens mcp_servers messages metadata model output_config service_tier speed stop_sequences stream system temperature thinking tool_choice tools top_k top_p user_profile_id workspace_id'.split(
    ' ',
  ),
)

export function judgeBody(body: Fields, judge: Judge): void {
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

export function judgeCache(body: Fields, judge: Judge): void {
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

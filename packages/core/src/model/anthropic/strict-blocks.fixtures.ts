import {
  extraField,
  type Fields,
  isBase64,
  isFields,
  isInked,
  isList,
  isUnicode,
} from '../strict-json.fixtures.ts'
import { isName, type Judge, report } from './strict-rules.fixtures.ts'

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

export function judgeBlock(block: unknown, judge: Judge): void {
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

export function judgeText(text: unknown, judge: Judge): void {
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

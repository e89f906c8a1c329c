import { extraField, isFields, isList } from '../strict-json.fixtures.ts'
import { judgeBlock, judgeText } from './strict-blocks.fixtures.ts'
import { judgeBody, judgeCache } from './strict-body.fixtures.ts'
import { judgeOwnPairs, judgePairs } from './strict-pairs.fixtures.ts'
import { type AnthropicKnowledge, type Judge, report } from './strict-rules.fixtures.ts'

/**
 * A judge of Messages requests, written from the vendor's documentation and error messages and from nothing else: it
 * shares no code with the formatter. Returns what the API would refuse in a whole request, or what makes its models worse;
 * empty for a legal one. For instance `[first_user] messages.0: the first message must be from the user`.
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

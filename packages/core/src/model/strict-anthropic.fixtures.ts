/**
 * A judge of Messages requests, written from the vendor's rules and from nothing else: it shares no code
 * with the formatter. Each finding names the place and the rule.
 */

type Fields = { readonly [key: string]: unknown }

export interface StrictOptions {
  /** The thinking this server has given out, by signature. Without it signatures are not checked. */
  readonly issued?: ReadonlyMap<string, string>
}

export function strictAnthropic(body: unknown, options: StrictOptions = {}): readonly string[] {
  if (!isFields(body)) return ['body: must be an object']
  const found: string[] = []
  if (typeof body['model'] !== 'string') found.push('model: must be a string')
  const maxTokens = body['max_tokens']
  if (!Number.isInteger(maxTokens) || Number(maxTokens) < 1) found.push('max_tokens: at least 1')
  found.push(...judgeSystem(body['system']), ...judgeTools(body), ...judgeSurrogates(body))
  const messages = listOf(body['messages'])
  if (messages.length === 0) return [...found, 'messages: at least one message is required']
  if (messages[0]?.['role'] !== 'user') found.push('messages.0: the first message must be user')
  for (const [index, message] of messages.entries()) {
    found.push(...judgeMessage(message, `messages.${index}`, options))
    if (index > 0 && messages[index - 1]?.['role'] === message['role']) {
      found.push(`messages.${index}: roles must alternate`)
    }
  }
  return [...found, ...judgePairs(messages)]
}

function judgeSystem(system: unknown): readonly string[] {
  if (system === undefined) return []
  return typeof system === 'string' && system.trim() !== '' ? [] : ['system: must be a text']
}

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/

function judgeTools(body: Fields): readonly string[] {
  const tools = body['tools']
  const blocks = listOf(body['messages']).flatMap((message) => listOf(message['content']))
  const hasToolBlock = blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result')
  if (tools === undefined) {
    const missing = hasToolBlock ? ['tools: must be defined where tool blocks exist'] : []
    return body['tool_choice'] === undefined ? missing : [...missing, 'tool_choice: needs tools']
  }
  const names = listOf(tools).map((tool) => tool['name'])
  return [
    ...(names.length === 0 ? ['tools: must not be empty'] : []),
    ...(new Set(names).size < names.length ? ['tools: names must be unique'] : []),
    ...listOf(tools).flatMap((tool, index) => {
      const schema = tool['input_schema']
      const isGood = isFields(schema) && schema['type'] === 'object'
      return [
        ...(namePattern.test(String(tool['name'])) ? [] : [`tools.${index}.name: bad name`]),
        ...(isGood ? [] : [`tools.${index}.input_schema: must be an object schema`]),
      ]
    }),
  ]
}

function judgeMessage(message: Fields, at: string, options: StrictOptions): readonly string[] {
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant') return [`${at}: unexpected role ${String(role)}`]
  if (!Array.isArray(content) || content.length === 0) return [`${at}: content must not be empty`]
  const blocks = listOf(content)
  const found = blocks.flatMap((block, index) =>
    judgeBlock(block, { role, at: `${at}.content.${index}`, ...options }),
  )
  const last = String(blocks.at(-1)?.['type'])
  if (role === 'assistant' && last.endsWith('thinking')) {
    found.push(`${at}: the final block of an answer cannot be thinking`)
  }
  return found
}

interface Place extends StrictOptions {
  readonly role: string
  readonly at: string
}

const allowed: { readonly [role: string]: readonly string[] } = {
  user: ['text', 'image', 'tool_result'],
  assistant: ['text', 'tool_use', 'thinking', 'redacted_thinking'],
}

function judgeBlock(block: Fields, place: Place): readonly string[] {
  const type = String(block['type'])
  const { at, role } = place
  if (!allowed[role]?.includes(type)) return [`${at}: ${type} is not allowed in a ${role} message`]
  switch (type) {
    case 'text':
      return isInked(block['text']) ? [] : [`${at}: text must not be empty`]
    case 'image':
      return judgeImage(block['source'], at)
    case 'tool_use':
      return [
        ...(namePattern.test(String(block['id'])) ? [] : [`${at}.id: bad id`]),
        ...(namePattern.test(String(block['name'])) ? [] : [`${at}.name: bad name`]),
        ...(isFields(block['input']) ? [] : [`${at}.input: must be an object`]),
      ]
    case 'tool_result':
      return judgeResult(block, at)
    case 'thinking':
      return judgeThinking(block, place)
    default:
      return isInked(block['data']) ? [] : [`${at}.data: must not be empty`]
  }
}

function judgeImage(source: unknown, at: string): readonly string[] {
  const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
  if (!isFields(source) || source['type'] !== 'base64') return [`${at}.source: must be base64`]
  const isGood = types.includes(String(source['media_type'])) && isInked(source['data'])
  return isGood ? [] : [`${at}.source: unreadable image`]
}

function judgeResult(block: Fields, at: string): readonly string[] {
  const { content, is_error: isError } = block
  if (isError !== undefined && isError !== true) return [`${at}.is_error: only when true`]
  const parts = content === undefined ? [] : listOf(content)
  if (Array.isArray(content) && parts.length === 0) return [`${at}.content: must not be empty`]
  if (isError && parts.length === 0) return [`${at}.content: cannot be empty if is_error is true`]
  if (isError && parts.some(({ type }) => type !== 'text')) {
    return [`${at}.content: must be text if is_error is true`]
  }
  return parts.flatMap((part, index) =>
    part['type'] === 'text' || part['type'] === 'image'
      ? judgeBlock(part, { role: 'user', at: `${at}.content.${index}` })
      : [`${at}.content.${index}: unexpected ${String(part['type'])}`],
  )
}

function judgeThinking({ thinking, signature }: Fields, { at, issued }: Place): readonly string[] {
  if (typeof thinking !== 'string' || !isInked(signature)) return [`${at}: thinking must be signed`]
  if (!issued || issued.get(String(signature)) === thinking) return []
  return [`${at}: thinking blocks cannot be modified`]
}

/** Every call is answered once, in the next message, first thing there, in call order. */
function judgePairs(messages: readonly Fields[]): readonly string[] {
  const seen = new Set<string>()
  return messages.flatMap((message, index) => {
    const calls = idsOf(messages[index - 1], 'tool_use', 'id')
    const results = idsOf(message, 'tool_result', 'tool_use_id')
    const leading = idsOf(
      { content: listOf(message['content']).slice(0, calls.length) },
      'tool_result',
      'tool_use_id',
    )
    const found: string[] = []
    for (const id of calls) {
      if (seen.has(id)) found.push(`messages.${index - 1}: tool_use ids must be unique (${id})`)
      seen.add(id)
    }
    if (leading.join() !== calls.join()) {
      found.push(`messages.${index}: must begin with the results of the calls before it, in order`)
    }
    if (results.length !== calls.length) {
      found.push(`messages.${index}: tool_result without its tool_use in the message before`)
    }
    const isLast = index === messages.length - 1
    if (isLast && idsOf(message, 'tool_use', 'id').length > 0) {
      found.push(`messages.${index}: tool_use without tool_result in the next message`)
    }
    return found
  })
}

function idsOf(message: Fields | undefined, type: string, key: string): readonly string[] {
  const blocks = listOf(message?.['content']).filter((block) => block['type'] === type)
  return blocks.map((block) => String(block[key]))
}

/** JSON with half a surrogate pair is refused before anything in it is read. */
function judgeSurrogates(body: Fields): readonly string[] {
  const text = JSON.stringify(body)
  return /\\ud[89a-f][0-9a-f]{2}/i.test(text) ? ['body: no low surrogate in string'] : []
}

function isInked(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

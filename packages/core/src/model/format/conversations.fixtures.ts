import fc from 'fast-check'
import type {
  AssistantContent,
  Message,
  ModelIdentity,
  Part,
  ThinkingContent,
  ToolCallContent,
  ToolResultMessage,
} from '../../kernel/message.ts'

export const claude: ModelIdentity = { provider: 'anthropic', id: 'claude-test' }
export const otherModel: ModelIdentity = { provider: 'openai', id: 'claude-test' }

function place(): { readonly id: string; readonly parentId: null } {
  return { id: 'm', parentId: null }
}

export function text(words: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: words }
}

export function image(mediaType: string, data = 'AAAA'): Part {
  return { type: 'image', mediaType, data }
}

export function call(toolCallId: string, argsText: string): ToolCallContent {
  return { type: 'toolCall', toolCallId, toolName: 'clock', argsText }
}

export function user(...content: readonly (string | Part)[]): Message {
  const parts = content.map((part) => (typeof part === 'string' ? text(part) : part))
  return { ...place(), role: 'user', content: parts }
}

export function systemMessage(words: string): Message {
  return { ...place(), role: 'system', content: [text(words)] }
}

export function answer(
  content: readonly AssistantContent[],
  model: ModelIdentity = claude,
): Message {
  return { ...place(), role: 'assistant', content, model }
}

export function result(
  toolCallId: string,
  content: readonly Part[],
  isError = false,
): ToolResultMessage {
  return { ...place(), role: 'toolResult', toolCallId, toolName: 'clock', content, isError }
}

/** Stands in every field that no model may read. */
export const unseen = 'never-for-a-model'

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', ' ', '\n', '\ud83c', 'word', 'spaced \n', 'Error: no'),
)
const parts = fc.oneof(
  { weight: 3, arbitrary: words.map(text) },
  fc.record({
    type: fc.constant('image' as const),
    mediaType: fc.constantFrom('image/png', 'image/tiff', '\ud83c'),
    data: fc.constantFrom('', 'AAAA', 'AA==', 'AAA', 'data:image/png;base64,AAAA'),
  }),
  fc.record(
    {
      type: fc.constant('document' as const),
      mediaType: fc.constantFrom('application/pdf' as const, 'text/plain' as const),
      data: fc.oneof(words, fc.constantFrom('AAAA', 'AA==', 'AAA')),
      name: words,
    },
    { requiredKeys: ['type', 'mediaType', 'data'] },
  ),
)
const thoughts = fc.constantFrom<ThinkingContent>(
  { type: 'thinking', text: 'hm', signature: 's1' },
  { type: 'thinking', text: '', signature: 's2' },
  { type: 'thinking', text: 'half \ud83c', signature: 's3' },
  { type: 'thinking', text: 'unsigned', signature: '' },
  { type: 'thinking', text: 'unsigned' },
  { type: 'thinking', text: '', redacted: 'gibberish' },
  { type: 'thinking', text: '', redacted: '' },
)
/** Ids as providers and tests give them: fine, foreign, repeated, empty, 450 characters long. */
export const hostileIds: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('a', 'a_2', 'a|b', '', 'x'.repeat(90), 'x'.repeat(450), '__proto__'),
  fc.string({ unit: 'binary' }),
)
const calls = fc.record({
  type: fc.constant('toolCall' as const),
  toolCallId: hostileIds,
  toolName: fc.oneof(
    fc.constantFrom('clock', 'no such tool', '', '__proto__', 'x'.repeat(99), '"}], "role":'),
    fc.string({ unit: 'binary', maxLength: 8 }),
  ),
  argsText: fc.oneof(
    fc.json(),
    fc.constantFrom('', ' ', '{', '[1]', '{"a":"\\ud83c"}', '{"\ud83c":1}', '{"__proto__":{}}'),
  ),
  providerId: fc.constant(unseen),
})

/** What a provider did by itself: searches and what they found, some of them without the other. */
const ownBlocks = fc
  .constantFrom('s1', 's2', 's3')
  .chain((id) =>
    fc.constantFrom<AssistantContent>(
      { type: 'opaque', data: { type: 'server_tool_use', id, name: 'web_search', input: {} } },
      { type: 'opaque', data: { type: 'web_search_tool_result', tool_use_id: id, content: [] } },
    ),
  )

const exchanges = fc
  .record({
    model: fc.constantFrom(claude, otherModel),
    content: fc.array(fc.oneof(words.map(text), thoughts, calls, ownBlocks), { maxLength: 6 }),
    results: fc.array(fc.tuple(fc.array(parts, { maxLength: 2 }), fc.boolean()), {
      minLength: 5,
      maxLength: 5,
    }),
    isReversed: fc.boolean(),
  })
  .map(({ model, content, results, isReversed }): readonly Message[] => {
    const answers = content
      .filter((part) => part.type === 'toolCall')
      .map(({ toolCallId }, index): Message => {
        const [given = [], isError = false] = results[index] ?? []
        return { ...result(toolCallId, given, isError), ...unseenFields }
      })
    return [answer(content, model), ...(isReversed ? answers.reverse() : answers)]
  })

const unseenFields = {
  details: { unseen },
  structuredContent: { unseen },
  artifacts: [{ artifactId: unseen, name: unseen, mediaType: 'text/plain', bytes: 1 }],
  label: unseen,
  timing: { [unseen]: 1 },
}

function saidBy(message: Message): Message {
  return Object.assign({}, message, { source: unseen, label: unseen })
}

/** Legal transcripts with everything in them that a model, a tool or a person may produce. */
export const conversations: fc.Arbitrary<readonly Message[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: exchanges },
      fc.array(parts, { maxLength: 2 }).map((content): Message[] => [saidBy(user(...content))]),
      words.map((word) => [systemMessage(word)]),
    ),
    { maxLength: 6 },
  )
  .map((turns): readonly Message[] => turns.flat())

/** One answer for each list of ids: the n-th call of all has the arguments and the result `{"n":…}`. */
export function numberedCalls(turns: readonly (readonly string[])[]): readonly Message[] {
  let n = 0
  return turns.flatMap((ids) => {
    const numbered = ids.map((id) => {
      n += 1
      return { id, json: JSON.stringify({ n }) }
    })
    return [
      user('Next.'),
      answer(numbered.map(({ id, json }) => call(id, json))),
      ...numbered.map(({ id, json }) => result(id, [text(json)])),
    ]
  })
}

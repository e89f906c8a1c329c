import { expect, test } from 'vitest'
import { anthropicProblems } from './strict.fixtures.ts'
import { anthropicRules } from './strict-rules.fixtures.ts'

const use = { type: 'tool_use', id: 'a', name: 'clock', input: {} }
const useB = { ...use, id: 'b' }
const gave = { type: 'tool_result', tool_use_id: 'a', content: [text('1')] }
const gaveB = { ...gave, tool_use_id: 'b' }
const png = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'AAAA' }
const letter = { type: 'text', media_type: 'text/plain', data: 'Dear' }
const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [] }
const marked = { ...text('Hi'), cache_control: { type: 'ephemeral' } }
const hi = gets(text('Hi'))
const asks = says(use)
const gives = gets(gave)
const clock = { name: 'clock', input_schema: { type: 'object' } }
const good = { model: 'm', max_tokens: 9, tools: [clock], messages: [hi, asks, gives] }
const knowledge = { issued: new Map([['s', 'x']]), userTexts: new Set(['Hi', 'x']) }

test('[I28] finds nothing in a legal request', () => {
  const everything = [
    gets(text('Hi'), { type: 'image', source: png }, { type: 'document', source: pdf }),
    says(thought('x', 's'), { type: 'redacted_thinking', data: 'd' }, text('Wait.'), use, useB),
    gets(
      { ...gave, is_error: true },
      {
        type: 'tool_result',
        tool_use_id: 'b',
        content: [{ type: 'document', source: letter, title: 'a' }],
      },
      text('Hi'),
    ),
    says(text('Done.'), search),
    gets(text('Hi')),
    says(found, { ...search, id: 't' }),
  ]

  expect(anthropicProblems(good, knowledge)).toEqual([])
  expect(anthropicProblems({ ...good, messages: everything }, knowledge)).toEqual([])
  expect(
    anthropicProblems({
      ...good,
      system: [{ ...text('Be brief.'), cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [use] },
        gets({ ...gave, content: '' }, marked, marked, marked),
      ],
    }),
  ).toEqual([])
})

const broken: readonly (readonly [rule: string, change: object])[] = [
  ['body_fields', { toolResults: [] }],
  ['model', { model: '' }],
  ['max_tokens', { max_tokens: 0 }],
  ['max_tokens', { max_tokens: undefined }],
  ['output_format', { output_config: { format: { type: 'json_schema' } } }],
  ['output_format', { output_config: { format: { type: 'json', schema: {} } } }],
  ['output_format', asking({ n: { type: 'integer', minimum: 1 } })],
  ['output_format', asking({ n: true })],
  ['output_closed', asking({ inner: { type: 'object', properties: {} } })],
  ['system', { system: ' ' }],
  ['system', { system: [text('')] }],
  ['unicode', { messages: [gets(text('\ud83c'))] }],
  ['unicode', { messages: [hi, says({ ...use, input: { '\udf0d': 1 } }), gives] }],
  ['unicode', { messages: [hi, asks, gets({ ...gave, content: '\ud83c' })] }],
  ['unicode', { system: '\ud83c!' }],
  ['tools_defined', { tools: undefined }],
  ['tools_empty', { tools: [] }],
  ['tool_name', { tools: [{ ...clock, name: 'my clock' }] }],
  ['tool_name', { messages: [hi, says({ ...use, name: '' }), gives] }],
  ['tool_unique', { tools: [clock, clock] }],
  ['tool_schema', { tools: [{ name: 'clock', input_schema: {} }] }],
  ['tool_fields', { tools: [{ ...clock, label: 'Clock' }] }],
  ['tool_choice', { messages: [hi], tools: undefined, tool_choice: { type: 'none' } }],
  ['messages_empty', { messages: [] }],
  ['message_role', { messages: [hi, { role: 'tool', content: 'x' }] }],
  ['message_fields', { messages: [{ ...hi, id: 'm1' }] }],
  ['first_user', { messages: [says(text('x')), hi] }],
  ['alternate', { messages: [hi, hi] }],
  ['content_empty', { messages: [hi, says(), hi] }],
  ['content_empty', { messages: [{ role: 'user' }] }],
  ['block_type', { messages: [gets(thought('x', 's'))] }],
  ['block_type', { messages: [hi, says({ type: 'image', source: png }), hi] }],
  ['block_fields', { messages: [hi, asks, gets({ ...gave, details: {} })] }],
  ['block_fields', { messages: [hi, asks, gets({ ...gave, structuredContent: {} })] }],
  ['text_empty', { messages: [gets(text(' \n'))] }],
  ['text_empty', { messages: [{ role: 'user', content: '' }] }],
  ['text_trailing_space', { messages: [hi, says(search, found, text('Well '))] }],
  ['prefill', { messages: [hi, says(text('Well'))] }],
  ['image', { messages: [gets({ type: 'image', source: { ...png, media_type: 'image/svg' } })] }],
  ['image', { messages: [gets({ type: 'image', source: { ...png, data: 'data:AAA' } })] }],
  ['document', { messages: [gets({ type: 'document', source: png })] }],
  ['document', { messages: [gets({ type: 'document', source: { ...letter, data: ' ' } })] }],
  ['document', { messages: [gets({ type: 'document', source: { ...pdf, data: 'A' } })] }],
  ['document_title', { messages: [gets({ type: 'document', source: pdf, title: '' })] }],
  ['unicode', { messages: [gets({ type: 'document', source: { ...letter, data: '\ud83c!' } })] }],
  ['id_pattern', { messages: exchange('a|b') }],
  ['id_pattern', { messages: exchange('x'.repeat(65)) }],
  ['id_unique', { messages: [hi, asks, gives, asks, gives] }],
  ['input_object', { messages: [hi, says({ ...use, input: '{}' }), gives] }],
  ['input_object', { messages: [hi, says({ ...use, input: [] }), gives] }],
  ['call_unanswered', { messages: [hi, asks, hi] }],
  ['call_unanswered', { messages: [hi, asks] }],
  ['call_unanswered', { messages: [hi, says(use, useB), gives] }],
  ['result_orphan', { messages: [gives] }],
  ['result_orphan', { messages: [hi, asks, gets(gave, gaveB)] }],
  ['result_twice', { messages: [hi, asks, gets(gave, gave)] }],
  ['results_first', { messages: [hi, asks, gets(text('x'), gave)] }],
  ['results_first', { messages: [hi, says(use, useB), gets(gave, text('x'), gaveB)] }],
  ['results_order', { messages: [hi, says(use, useB), gets(gaveB, gave)] }],
  ['results_text', { messages: [hi, asks, gets(gave, text('Go on.'))] }],
  ['is_error', { messages: [hi, asks, gets({ ...gave, is_error: false })] }],
  ['error_content', { messages: [hi, asks, gets({ ...gave, content: [], is_error: true })] }],
  [
    'error_content',
    {
      messages: [
        hi,
        asks,
        gets({ ...gave, content: [text('x'), { type: 'image', source: png }], is_error: true }),
      ],
    },
  ],
  ['result_content', { messages: [hi, asks, gets({ ...gave, content: { ok: true } })] }],
  ['result_content', { messages: [hi, asks, gets({ ...gave, content: [use] })] }],
  ['thinking_signed', { messages: [hi, says(thought('x', ''), text('y')), hi] }],
  ['thinking_unchanged', { messages: [hi, says(thought('y', 's'), text('y')), hi] }],
  ['thinking_last', { messages: [hi, says(text('y'), thought('x', 's')), hi] }],
  ['own_unanswered', { messages: [hi, says(search), hi] }],
  ['own_orphan', { messages: [hi, says(text('x'), found), hi] }],
  ['cache_control', { messages: [gets({ ...text('x'), cache_control: { type: 'for ever' } })] }],
  ['cache_limit', { messages: [gets(marked, marked, marked, marked, marked)] }],
  ['redacted', { messages: [hi, says({ type: 'redacted_thinking', data: '' }, text('y')), hi] }],
]

test.for(broken)('[I28] refuses a request by the rule %s alone', ([rule, change]) => {
  const problems = anthropicProblems({ ...good, ...change }, knowledge)

  expect([...new Set(problems.map(ruleOf))]).toEqual([rule])
})

test('[I28] refuses a value that is not a request, and each of its rules is broken above', () => {
  expect(anthropicProblems(null).map(ruleOf)).toEqual(['body'])
  expect(anthropicProblems([]).map(ruleOf)).toEqual(['body'])
  expect(new Set(['body', ...broken.map(([rule]) => rule)])).toEqual(new Set(anthropicRules))
})

function ruleOf(problem: string): string | undefined {
  return /^\[(\w+)\] /.exec(problem)?.[1]
}

function exchange(id: string): readonly object[] {
  return [hi, says({ ...use, id }), gets({ ...gave, tool_use_id: id })]
}

function says(...content: readonly object[]): object {
  return { role: 'assistant', content }
}

function gets(...content: readonly object[]): object {
  return { role: 'user', content }
}

function text(words: string): object {
  return { type: 'text', text: words }
}

function thought(thinking: string, signature: string): object {
  return { type: 'thinking', thinking, signature }
}

function asking(properties: object): object {
  const schema = { type: 'object', properties, required: [], additionalProperties: false }
  return { output_config: { format: { type: 'json_schema', schema } } }
}

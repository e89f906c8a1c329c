import { expect, test } from 'vitest'
import { openaiProblems, openaiRules } from './strict.fixtures.ts'

const call = { id: 'a', type: 'function', function: { name: 'clock', arguments: '{}' } }
const callB = { ...call, id: 'b' }
const hi = { role: 'user', content: 'Hi' }
const asks = { role: 'assistant', content: null, tool_calls: [call] }
const asksBoth = { ...asks, tool_calls: [call, callB] }
const gives = { role: 'tool', tool_call_id: 'a', content: '12:00' }
const givesB = { ...gives, tool_call_id: 'b' }
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const pdf = 'data:application/pdf;base64,AAAA'
const file = { type: 'file', file: { filename: 'a.pdf', file_data: pdf } }
const clock = { type: 'function', function: { name: 'clock', parameters: { type: 'object' } } }
const open = { type: 'object', properties: {}, required: [] }
const closed = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}
const good = { model: 'm', tools: [clock], messages: [hi, asks, gives] }

test('[I28] finds nothing in a legal request', () => {
  const everything = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Hi' }, image, file] },
    { ...asksBoth, content: 'Wait.' },
    { ...gives, content: '' },
    { ...givesB, content: [{ type: 'text', text: 'Error: no' }] },
    { role: 'assistant', content: 'Done. ' },
  ]

  expect(openaiProblems(good)).toEqual([])
  expect(openaiProblems({ ...good, ...outputOf({ strict: true, schema: closed }) })).toEqual([])
  expect(openaiProblems({ ...good, ...outputOf({ strict: false, schema: open }) })).toEqual([])
  expect(openaiProblems({ model: 'm', messages: everything })).toEqual([])
})

const broken: readonly (readonly [rule: string, change: object])[] = [
  ['body_fields', { toolResults: [] }],
  ['model', { model: undefined }],
  ['unicode', { messages: [{ role: 'user', content: '\ud83c' }] }],
  ['unicode', { messages: [hi, asks, { ...gives, content: '\udf0d' }] }],
  ['unicode', { tools: [{ ...clock, function: { ...clock.function, description: '\ud83c' } }] }],
  ['tools_empty', { tools: [] }],
  [
    'tools_many',
    {
      tools: Array.from({ length: 129 }, (_, n) => ({
        ...clock,
        function: { name: `clock_${n}` },
      })),
    },
  ],
  ['tool_type', { tools: [{ name: 'clock' }] }],
  ['tool_type', { tools: [{ ...clock, function: { ...clock.function, label: 'Clock' } }] }],
  ['tool_name', { tools: [{ ...clock, function: { name: 'my clock' } }] }],
  ['tool_name', { messages: [hi, asking({ name: '' }), gives] }],
  ['tool_unique', { tools: [clock, clock] }],
  ['tool_schema', { tools: [{ ...clock, function: { name: 'clock', parameters: {} } }] }],
  ['output_format', { response_format: { type: 'json_schema' } }],
  ['output_format', outputOf({ strict: false, schema: {} })],
  ['output_format', outputOf({ name: 'the answer', schema: { type: 'object' } })],
  ['output_strict', outputOf({ strict: true, schema: { type: 'object' } })],
  ['output_strict', outputOf({ strict: true, schema: { ...closed, required: [] } })],
  ['output_strict', outputOf({ strict: true, schema: { ...closed, properties: { a: open } } })],
  ['tool_choice', { tools: undefined, tool_choice: 'none' }],
  ['messages_empty', { messages: [] }],
  ['message_role', { messages: [hi, { role: 'toolResult', content: 'x' }] }],
  ['message_fields', { messages: [hi, asks, { ...gives, is_error: true }] }],
  ['message_fields', { messages: [{ ...hi, source: 'prompt' }] }],
  ['alternate', { messages: [hi, hi] }],
  ['content_empty', { messages: [{ role: 'user', content: '' }] }],
  ['content_empty', { messages: [{ role: 'user', content: [] }] }],
  ['content_null', { messages: [hi, { role: 'assistant', content: null }] }],
  ['content_null', { messages: [{ role: 'user' }] }],
  ['content_type', { messages: [{ role: 'user', content: { text: 'x' } }] }],
  ['content_type', { messages: [hi, { role: 'assistant', content: [image] }] }],
  ['part_fields', { messages: [{ role: 'user', content: [{ ...image, mediaType: 'png' }] }] }],
  ['text_empty', { messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] }],
  ['image', { messages: [{ role: 'user', content: [imageAt('data:image/tiff;base64,AAAA')] }] }],
  ['image', { messages: [{ role: 'user', content: [imageAt('data:image/png;base64,A A=')] }] }],
  ['file', { messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] }],
  [
    'file',
    {
      messages: [{ role: 'user', content: [{ ...file, file: { filename: '', file_data: pdf } }] }],
    },
  ],
  ['calls_empty', { messages: [hi, { role: 'assistant', content: 'x', tool_calls: [] }] }],
  ['call_type', { messages: [hi, { ...asks, tool_calls: [{ ...call, index: 0 }] }, gives] }],
  ['call_type', { messages: [hi, { ...asks, tool_calls: [{ id: 'a', name: 'clock' }] }] }],
  ['id_pattern', { messages: exchange('x'.repeat(41)) }],
  ['id_pattern', { messages: exchange('') }],
  ['id_unique', { messages: [hi, asks, gives, asks, gives] }],
  ['arguments', { messages: [hi, asking({ arguments: '' }), gives] }],
  ['arguments', { messages: [hi, asking({ arguments: '{"city":"Par' }), gives] }],
  ['arguments', { messages: [hi, asking({ arguments: '[1]' }), gives] }],
  ['arguments', { messages: [hi, asking({ arguments: {} }), gives] }],
  ['arguments', { messages: [hi, asking({ arguments: '{"a":"\\ud83c"}' }), gives] }],
  ['call_unanswered', { messages: [hi, asks, hi] }],
  ['call_unanswered', { messages: [hi, asks] }],
  ['call_unanswered', { messages: [hi, asksBoth, gives] }],
  ['result_orphan', { messages: [hi, gives] }],
  ['result_orphan', { messages: [hi, asks, gives, givesB] }],
  ['result_twice', { messages: [hi, asks, gives, gives] }],
  ['results_order', { messages: [hi, asksBoth, givesB, gives] }],
  ['result_content', { messages: [hi, asks, { ...gives, content: { ok: true } }] }],
  ['result_content', { messages: [hi, asks, { ...gives, content: [image] }] }],
  ['result_content', { messages: [hi, asks, { role: 'tool', tool_call_id: 'a' }] }],
]

test.for(broken)('[I28] refuses a request by the rule %s alone', ([rule, change]) => {
  const problems = openaiProblems({ ...good, ...change })

  expect([...new Set(problems.map(ruleOf))]).toEqual([rule])
})

test('[I28] refuses a value that is not a request, and each of its rules is broken above', () => {
  expect(openaiProblems('{}').map(ruleOf)).toEqual(['body'])
  expect(new Set(['body', ...broken.map(([rule]) => rule)])).toEqual(new Set(openaiRules))
})

function ruleOf(problem: string): string | undefined {
  return /^\[(\w+)\] /.exec(problem)?.[1]
}

function outputOf(output: object): object {
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', ...output } } }
}

function asking(change: object): object {
  return { ...asks, tool_calls: [{ ...call, function: { ...call.function, ...change } }] }
}

function exchange(id: string): readonly object[] {
  return [hi, { ...asks, tool_calls: [{ ...call, id }] }, { ...gives, tool_call_id: id }]
}

function imageAt(url: string): object {
  return { type: 'image_url', image_url: { url } }
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AssistantContent, Message, Part } from '../../kernel/message.ts'
import {
  answer,
  call,
  conversations,
  hostileIds,
  image,
  numberedCalls,
  result,
  systemMessage,
  text,
  unseen,
  user,
} from '../format/conversations.fixtures.ts'
import { formatForOpenAI } from './format.ts'
import { openaiProblems } from './strict.fixtures.ts'

describe('the format for OpenAI', () => {
  test('sends PDFs as files, after the results they came in, and plain text as text', () => {
    const pdf: Part = { type: 'document', mediaType: 'application/pdf', data: 'AAAA' }
    const letter: Part = { type: 'document', mediaType: 'text/plain', data: 'Dear', name: 'a.txt' }

    const { messages } = formatForOpenAI([
      user({ ...pdf, name: 'b.pdf' }, letter, { ...pdf, data: 'A' }, { ...letter, data: ' ' }),
      answer([call('a', '{}'), call('b', '{}')]),
      result('a', [pdf, image('image/jpeg')]),
      result('b', [letter], true),
    ])

    const file_data = 'data:application/pdf;base64,AAAA'
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'file', file: { filename: 'b.pdf', file_data } },
          text('a.txt:\n\nDear'),
          text('[A document was left out: its data is not base64.]'),
          text('[A document was left out: it is empty.]'),
        ],
      },
      expect.objectContaining({ role: 'assistant' }),
      {
        role: 'tool',
        tool_call_id: 'a',
        content: '[Its files follow in the next user message.]',
      },
      { role: 'tool', tool_call_id: 'b', content: 'Error: a.txt:\n\nDear' },
      {
        role: 'user',
        content: [
          text('The files in the result of clock:'),
          { type: 'file', file: { filename: 'document.pdf', file_data } },
          sentImage('image/jpeg'),
        ],
      },
    ])
  })

  test('[I28] [S002-1] [S002-3] [S002-10] has one tool message per result, in call order right after the answer', () => {
    const { messages } = formatForOpenAI([
      user('Time?'),
      answer([text('Wait.'), call('a', '{"city":"Lima"}'), call('b', '')]),
      result('b', [text('12:00')]),
      result('a', [text('no such city')], true),
      user('Thanks.'),
      user('And Kyiv?'),
    ])

    expect(messages).toEqual([
      { role: 'user', content: 'Time?' },
      {
        role: 'assistant',
        content: 'Wait.',
        tool_calls: [toolCall('a', '{"city":"Lima"}'), toolCall('b', '{}')],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Error: no such city' },
      { role: 'tool', tool_call_id: 'b', content: '12:00' },
      { role: 'user', content: 'Thanks.\n\nAnd Kyiv?' },
    ])
  })

  test('[C10] marks a failed result, also one that gives no reason', () => {
    const [, , marked, bare, fine] = formatForOpenAI([
      user('Time?'),
      answer([call('a', '{}'), call('b', '{}'), call('c', '{}')]),
      result('a', [text('Error: no')], true),
      result('b', [text(' ')], true),
      result('c', [text('Fine.')]),
    ]).messages

    expect(marked?.content).toBe('Error: Error: no')
    expect(bare?.content).toBe('Error: The tool gave no reason.')
    expect(fine?.content).toBe('Fine.')
  })

  test('[S002-10] takes a result without content as an empty text', () => {
    const { messages } = formatForOpenAI([
      user('Go.'),
      answer([call('a', '{}')]),
      result('a', []),
      answer([text('Done.')]),
    ])

    expect(messages[2]).toEqual({ role: 'tool', tool_call_id: 'a', content: '' })
    expect(openaiProblems({ model: 'm', messages })).toEqual([])
  })

  test.each(['{"city":"Par', '[1]', '"Lima"', 'null', '12', '', ' \n', '{"n":1e999}'])(
    'sends "{}" for the arguments %s, which are no object',
    (argsText) => {
      expect(sentArguments(argsText)).toBe('{}')
    },
  )

  test('[I28] keeps arguments as the model wrote them, but for what would be refused', () => {
    expect(sentArguments(' {"b": 1.0,\n "a": "\\u00e9"}')).toBe(' {"b": 1.0,\n "a": "\\u00e9"}')
    expect(sentArguments('{"\\udf0d":["\\ud83c","🌍"]}')).toBe('{"\ufffd":["\ufffd","🌍"]}')
    expect(sentArguments('{"a":"\ud83c"}')).toBe('{"a":"\ufffd"}')
  })

  test('sends the images of users in place, and those of results after them', () => {
    const { messages } = formatForOpenAI([
      user('Look:', image('image/png'), image('image/svg+xml')),
      answer([call('a', '{}'), call('b', '{}')]),
      result('a', [text('A map.'), image('image/jpeg')]),
      result('b', [text('12:00'), text('Kyiv')]),
      user('And?'),
    ])

    expect(messages[0]?.content).toEqual([
      text('Look:'),
      sentImage('image/png'),
      text('[An image was left out: the model cannot read image/svg+xml.]'),
    ])
    expect(messages.slice(2)).toEqual([
      {
        role: 'tool',
        tool_call_id: 'a',
        content: 'A map.\n[Its files follow in the next user message.]',
      },
      { role: 'tool', tool_call_id: 'b', content: '12:00\nKyiv' },
      {
        role: 'user',
        content: [text('The files in the result of clock:'), sentImage('image/jpeg'), text('And?')],
      },
    ])
  })

  test('leaves out thinking, empty texts and empty answers, and joins what users say', () => {
    const thinking: AssistantContent = { type: 'thinking', text: 'Hm.', signature: 's' }

    const { messages } = formatForOpenAI([
      user(' '),
      user('Hi'),
      answer([thinking]),
      answer([text('')]),
      user('Well?'),
      answer([thinking, text('One.'), text(' Two.')]),
      answer([text('Three.'), call('a', '{}')]),
      result('a', [text('1')]),
      answer([call('b', '{}')]),
      result('b', [text('2')]),
    ])

    expect(messages).toEqual([
      { role: 'user', content: 'Hi\n\nWell?' },
      { role: 'assistant', content: 'One. Two.' },
      { role: 'user', content: '(Go on.)' },
      { role: 'assistant', content: 'Three.', tool_calls: [toolCall('a', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'assistant', content: null, tool_calls: [toolCall('b', '{}')] },
      { role: 'tool', tool_call_id: 'b', content: '2' },
    ])
  })

  test('adds a user message after a last answer, and starts a longer conversation the same', () => {
    const sent = (...messages: readonly Message[]) => formatForOpenAI(messages).messages
    const paused = { ...answer([text('One.')]), stopReason: 'pause_turn' } as Message
    const begun = sent(user('Hi'), paused)

    expect(begun.slice(1)).toEqual([
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: '(Go on.)' },
    ])
    expect(sent(user('Hi'), paused, answer([text('')]), answer([text('Two.')]))).toEqual([
      ...begun,
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: '(Go on.)' },
    ])
    expect(sent(user('Hi'), paused, user('Well?')).at(-1)).toEqual({
      role: 'user',
      content: 'Well?',
    })
    expect(sent(answer([text('')]))).toEqual([])
  })

  test('puts all system texts first, and sends none where nothing was said', () => {
    const history = [
      user('Time?'),
      answer([call('a', '{}')]),
      systemMessage('In French.'),
      result('a', [text('12')]),
    ]

    const { messages } = formatForOpenAI(history, { system: 'Be brief.' })

    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(messages[0]?.content).toBe('Be brief.\n\nIn French.')
    expect(formatForOpenAI([], { system: 'Be brief.' })).toEqual({ messages: [] })
  })

  test('[S002-3] rewrites ids and names that the API refuses, in call and result alike', () => {
    const long = 'x'.repeat(450)
    const { messages } = formatForOpenAI([
      user('Time?'),
      answer([call('a|b', '{}'), call('a|b', '{}'), { ...call(long, '{}'), toolName: 'my tool' }]),
      result(long, [text('3')]),
      result('a|b', [text('1')]),
      result('a|b', [text('2')]),
    ])

    const x40 = 'x'.repeat(40)
    expect(messages.slice(1)).toMatchObject([
      {
        tool_calls: [{ id: 'a_b' }, { id: 'a_b_2' }, { id: x40, function: { name: 'my_tool' } }],
      },
      { tool_call_id: 'a_b', content: '1' },
      { tool_call_id: 'a_b_2', content: '2' },
      { tool_call_id: x40, content: '3' },
    ])
  })

  test('describes tools', () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

    const { tools } = formatForOpenAI([user('Hi')], {
      tools: [{ name: 'count', description: 'Counts.', inputSchema }],
    })

    expect(tools).toEqual([
      {
        type: 'function',
        function: { name: 'count', description: 'Counts.', parameters: inputSchema },
      },
    ])
    expect(formatForOpenAI([user('Hi')])).not.toHaveProperty('tools')
  })

  test.each<[string, RegExp, readonly Message[]]>([
    ['without its result', /"a" of clock has no result/, [answer([call('a', '{}')]), user('!')]],
    ['of a call that was never made', /"a" does not follow its call/, [user('!'), result('a', [])]],
    [
      'answered twice',
      /"a" does not follow its call/,
      [answer([call('a', '{}')]), result('a', []), result('a', [])],
    ],
  ])('refuses a call %s', (_, problem, messages) => {
    expect(() => formatForOpenAI(messages)).toThrow(problem)
    expect(() => formatForOpenAI(messages)).toThrow(TypeError)
  })

  test('[I28] [S002-10] is legal for every transcript', () => {
    fc.assert(
      fc.property(conversations, fc.boolean(), (messages, hasTools) => {
        const tools = [{ name: 'clock', description: 'Time. \ud83c', inputSchema: {} }]
        const fields = formatForOpenAI(messages, hasTools ? { system: 'Be brief.', tools } : {})

        const problems = openaiProblems({ model: 'gpt-test', ...fields })

        const isEmpty = fields.messages.length === 0
        expect(problems).toEqual(isEmpty ? ['[messages_empty] messages: [] is too short'] : [])
      }),
      { numRuns: 1000 },
    )
  })

  test('[I19] [S002-11] holds nothing but what the model may read, and changes no message', () => {
    fc.assert(
      fc.property(conversations, (messages) => {
        const before = JSON.stringify(messages)

        const fields = formatForOpenAI(messages)

        expect(JSON.stringify(fields)).not.toContain(unseen)
        expect(JSON.stringify(messages)).toBe(before)
      }),
    )
  })

  test('[I28] [S002-3] gives each result the id of its call, whatever the ids were', () => {
    fc.assert(
      fc.property(fc.array(fc.array(hostileIds, { maxLength: 4 }), { maxLength: 4 }), (turns) => {
        const { messages } = formatForOpenAI(numberedCalls(turns))

        const asked = messages.flatMap((message) =>
          message.role === 'assistant' && message.tool_calls
            ? message.tool_calls.map((made) => [made.id, made.function.arguments])
            : [],
        )
        const given = messages.flatMap((message) =>
          message.role === 'tool' ? [[message.tool_call_id, message.content]] : [],
        )
        expect(asked).toEqual(given)
        expect(new Set(asked.map(([id]) => id)).size).toBe(turns.flat().length)
      }),
    )
  })
})

function sentArguments(argsText: string): string | undefined {
  const history = [user('Go.'), answer([call('a', argsText)]), result('a', [])]
  const [, asking] = formatForOpenAI(history).messages
  return asking?.role === 'assistant' ? asking.tool_calls?.[0]?.function.arguments : undefined
}

function toolCall(id: string, argsText: string): object {
  return { id, type: 'function', function: { name: 'clock', arguments: argsText } }
}

function sentImage(mediaType: string): object {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,AAAA` } }
}

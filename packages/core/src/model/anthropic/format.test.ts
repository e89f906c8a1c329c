import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages/messages'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type {
  AssistantContent,
  Message,
  OpaqueContent,
  Part,
  UserMessage,
} from '../../kernel/message.ts'
import {
  answer,
  call,
  claude,
  conversations,
  hostileIds,
  numberedCalls,
  otherModel,
  result,
  systemMessage,
  text,
  unseen,
  user,
} from '../format/conversations.fixtures.ts'
import { type AnthropicFormat, type AnthropicFormatOptions, formatForAnthropic } from './format.ts'
import { anthropicProblems } from './strict.fixtures.ts'

describe('the format for Anthropic', () => {
  test('[I28] [S002-1] [S002-2] [S002-10] puts all results of an answer into one user message, in call order, text after', () => {
    const { messages } = format([
      user('Time?'),
      answer([text('Wait.'), call('a', '{"city":"Lima"}'), call('b', '')]),
      result('b', [text('12:00')]),
      result('a', [text('no such city')], true),
      user('Thanks.'),
      user('And Kyiv?'),
    ])

    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Time?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Wait.' },
          { type: 'tool_use', id: 'a', name: 'clock', input: { city: 'Lima' } },
          { type: 'tool_use', id: 'b', name: 'clock', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [{ type: 'text', text: 'no such city' }],
            is_error: true,
          },
          { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: '12:00' }] },
          { type: 'text', text: 'Thanks.' },
          { type: 'text', text: 'And Kyiv?' },
        ],
      },
    ])
  })

  test.each(['{"city":"Par', '[1]', '"Lima"', 'null', '12'])(
    'sends {} for the arguments %s, which are no object',
    (argsText) => {
      const { messages } = format([user('Time?'), answer([call('a', argsText)]), result('a', [])])

      expect(messages[1]?.content).toMatchObject([{ type: 'tool_use', input: {} }])
    },
  )

  test('sends thinking back unchanged, but only signed and to the model that made it', () => {
    const thoughts: AssistantContent[] = [
      { type: 'thinking', text: ' Two cities. ', signature: 'sig' },
      { type: 'thinking', text: 'Half a pair: \ud83c', signature: 'unsendable' },
      { type: 'thinking', text: '', signature: 'hidden' },
      { type: 'thinking', text: 'unsigned' },
      { type: 'thinking', text: '', redacted: 'gibberish' },
      text('Hm.'),
    ]

    const { messages } = format([
      user('Time?'),
      answer(thoughts),
      user('And?'),
      answer(thoughts, otherModel),
      user('And?'),
      answer(thoughts, { ...claude, id: 'claude-older' }),
    ])

    expect(messages[1]?.content).toEqual([
      { type: 'thinking', thinking: ' Two cities. ', signature: 'sig' },
      { type: 'thinking', thinking: '', signature: 'hidden' },
      { type: 'redacted_thinking', data: 'gibberish' },
      { type: 'text', text: 'Hm.' },
    ])
    expect(messages[3]?.content).toEqual([{ type: 'text', text: 'Hm.' }])
    expect(messages[5]?.content).toEqual([{ type: 'text', text: 'Hm.' }])
  })

  test('sends no thinking of newer models behind a summary: it is bound to what was there', () => {
    const thought: AssistantContent = { type: 'thinking', text: 'Hm.', signature: 'signed' }
    const summary = { ...user('Of what was said: little.'), id: 'summary-before-m' }
    const newer = { provider: 'anthropic', id: 'claude-opus-5-5' }
    const said = { ...answer([thought, text('Noon.')]), model: newer }
    const older = { ...answer([thought, text('Noon.')]), model: claude }
    const kinds = (fields: AnthropicFormat) =>
      fields.messages.flatMap(({ content }) => content.map(({ type }) => type))

    expect(kinds(format([user('Time?'), said, user('Thanks.')], { model: newer }))).toContain(
      'thinking',
    )
    expect(kinds(format([summary, said, user('Thanks.')], { model: newer }))).not.toContain(
      'thinking',
    )
    expect(kinds(format([summary, older, user('Thanks.')], { model: claude }))).toContain(
      'thinking',
    )
  })

  test('sends own blocks of the provider back as they came and in their place, to their model alone', () => {
    const search = own({ type: 'server_tool_use', id: 's1', name: 'web_search', input: { q: 'x' } })
    const found = own({ type: 'web_search_tool_result', tool_use_id: 's1', content: [{ a: 1 }] })
    const strange = own({ type: 'weather_report', sky: { cloudy: true } })
    const content = [text('Well.'), search, strange, found, text('So.')]

    const { messages } = format([
      user('Time?'),
      answer(content),
      user('And?'),
      answer(content, otherModel),
      user('And?'),
    ])

    expect(messages[1]?.content).toEqual([
      text('Well.'),
      search.data,
      strange.data,
      found.data,
      text('So.'),
    ])
    expect(messages[3]?.content).toEqual([text('Well.'), text('So.')])
  })

  test('sends an own call without a result only where it is still being worked on', () => {
    const search = own({ type: 'server_tool_use', id: 's1', name: 'web_search', input: {} })
    const found = own({ type: 'web_search_tool_result', tool_use_id: 's1', content: [] })
    const paused = { ...answer([text('Wait.'), search]), stopReason: 'pause_turn' } as Message
    const asking = {
      ...answer([search, call('a', '{}')]),
      stopReason: 'tool_use',
    } as Message
    const cut = { ...answer([text('Wait.'), search]), stopReason: 'max_tokens' } as Message
    const sent = (...after: readonly Message[]) =>
      format([user('Time?'), ...after]).messages.flatMap(({ content }) =>
        content.map(({ type }) => type),
      )

    expect(sent(paused)).toEqual(['text', 'text', 'server_tool_use'])
    expect(sent(asking, result('a', []))).toEqual([
      'text',
      'server_tool_use',
      'tool_use',
      'tool_result',
    ])
    expect(sent(cut)).toEqual(['text', 'text', 'text'])
    expect(sent(paused, user('Stop.'))).toEqual(['text', 'text', 'text'])
    expect(sent(paused, answer([found, text('Noon.')]), user('Ah.'))).toEqual([
      'text',
      'text',
      'server_tool_use',
      'web_search_tool_result',
      'text',
      'text',
    ])
    expect(sent(answer([found, text('Noon.')]))).toEqual(['text', 'text', 'text'])
  })

  test('has no empty text, no empty answer and no answer that ends in thinking', () => {
    const { messages } = format([
      user(''),
      user('Time?'),
      answer([{ type: 'thinking', text: 'Cut o', signature: 'sig' }]),
      answer([text(''), text(' \n')]),
      answer([]),
      user('Well?'),
    ])

    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Time?' },
          { type: 'text', text: 'Well?' },
        ],
      },
    ])
  })

  test('adds a user message after a last answer and between two answers, and starts with the user', () => {
    const said = format([answer([text('One. ')]), answer([]), answer([text('Two.')])]).messages

    expect(said.map(({ role, content }) => [role, content])).toEqual([
      ['user', [text('(The conversation goes on.)')]],
      ['assistant', [text('One. ')]],
      ['user', [text('(Go on.)')]],
      ['assistant', [text('Two.')]],
      ['user', [text('(Go on.)')]],
    ])
  })

  test('joins an answer that paused and the rest of it, and lets the model continue by itself', () => {
    const strange = own({ type: 'weather_report' })
    const paused = (content: readonly AssistantContent[], model = claude) =>
      ({ ...answer(content, model), stopReason: 'pause_turn' }) as Message
    const sent = (...after: readonly Message[]) =>
      format([user('Time?'), ...after]).messages.slice(1)

    expect(sent(paused([strange, text('Wait. \n')]))).toEqual([
      { role: 'assistant', content: [strange.data, text('Wait.')] },
    ])
    expect(sent(paused([strange, text('Wait. \n')]), answer([text('Noon.')]))[0]).toEqual({
      role: 'assistant',
      content: [strange.data, text('Wait.'), text('Noon.')],
    })
    const asked = { role: 'user', content: [text('(Go on.)')] }
    expect(sent(paused([strange, text('Wait.')], otherModel)).at(-1)).toEqual(asked)
    expect(sent(paused([text('Wait.')])).at(-1)).toEqual(asked)
  })

  test('sends images it can read and names those it cannot', () => {
    const png: Part = { type: 'image', mediaType: 'image/png', data: 'AAAA' }
    const svg: Part = { type: 'image', mediaType: 'image/svg+xml', data: 'AAAA' }

    const { messages } = format([
      user(png, svg),
      answer([call('a', '{}'), call('b', '{}')]),
      result('a', [png]),
      result('b', [png], true),
    ])

    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    expect(messages[0]?.content).toEqual([
      { type: 'image', source },
      { type: 'text', text: '[An image was left out: the model cannot read image/svg+xml.]' },
    ])
    expect(messages[2]?.content).toMatchObject([
      { content: [{ type: 'image', source }] },
      { is_error: true, content: [{ type: 'text', text: 'The tool gave no reason.' }] },
    ])
  })

  test('sends documents in messages and results, and names those that cannot be read', () => {
    const pdf: Part = { type: 'document', mediaType: 'application/pdf', data: 'AAAA', name: ' ' }
    const letter: Part = { type: 'document', mediaType: 'text/plain', data: 'Dear \ud83c' }

    const { messages } = format([
      user(pdf, { ...letter, name: `${'x'.repeat(199)}🌍` }, { ...pdf, data: 'A' }),
      answer([call('a', '{}'), call('b', '{}')]),
      result('a', [pdf, letter]),
      result('b', [pdf, text('No.')], true),
    ])

    const sentPdf = {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
    }
    const sentLetter = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'Dear \ufffd' },
    }
    expect(messages[0]?.content).toEqual([
      sentPdf,
      { ...sentLetter, title: `${'x'.repeat(199)}\ufffd` },
      text('[A document was left out: its data is not base64.]'),
    ])
    expect(messages[2]?.content).toMatchObject([
      { content: [sentPdf, sentLetter] },
      { is_error: true, content: [text('No.')] },
    ])
  })

  test('joins system messages to the system text', () => {
    const { system, messages } = format([user('Hi'), systemMessage('In French.'), user('You?')], {
      system: 'Be brief.',
    })

    expect(system).toBe('Be brief.\n\nIn French.')
    expect(messages).toHaveLength(1)
    const between: Message = systemMessage('In French.')
    const history = [user('Time?'), answer([call('a', '{}')]), between, result('a', [])]
    expect(format(history).messages).toHaveLength(3)
    expect(format([user('Hi')], { system: ' ' })).not.toHaveProperty('system')
  })

  test('[S002-2] rewrites ids and names that the API refuses, in call and result alike', () => {
    const long = 'x'.repeat(450)
    const { messages } = format([
      user('Time?'),
      answer([call('a|b', '{}'), call('a|b', '{}'), { ...call(long, '{}'), toolName: 'my tool' }]),
      result(long, [text('3')]),
      result('a|b', [text('1')]),
      result('a|b', [text('2')]),
      answer([call('a_b', '{}')]),
      result('a_b', [text('4')]),
    ])

    const x64 = 'x'.repeat(64)
    expect(messages[1]?.content).toMatchObject([
      { id: 'a_b' },
      { id: 'a_b_2' },
      { id: x64, name: 'my_tool' },
    ])
    expect(messages[2]?.content).toMatchObject([
      { tool_use_id: 'a_b', content: [text('1')] },
      { tool_use_id: 'a_b_2', content: [text('2')] },
      { tool_use_id: x64, content: [text('3')] },
    ])
    expect(messages[4]?.content).toMatchObject([{ tool_use_id: 'a_b_3' }])
  })

  test('mends half surrogate pairs', () => {
    const { messages } = format([
      user('cut \ud83c'),
      answer([call('a', '{"\\udf0d":["\\ud83c",{"ok":"🌍"}]}')]),
      result('a', [text('\udf0d cut')]),
    ])

    expect(messages[0]?.content).toEqual([text('cut \ufffd')])
    expect(messages[1]?.content).toMatchObject([{ input: { '\ufffd': ['\ufffd', { ok: '🌍' }] } }])
    expect(messages[2]?.content).toMatchObject([{ content: [text('\ufffd cut')] }])
  })

  test('describes tools and asks for arguments as they are written', () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

    const { tools } = format([user('Hi')], {
      tools: [{ name: 'count', description: 'Counts.', inputSchema }],
    })

    expect(tools).toEqual([
      {
        name: 'count',
        description: 'Counts.',
        input_schema: inputSchema,
        eager_input_streaming: true,
      },
    ])
  })

  test('defines the tools of the history where none are offered, and forbids to call them', () => {
    const history = [user('Time?'), answer([call('a', '{}')]), result('a', [text('12')])]

    expect(format(history)).toMatchObject({
      tools: [{ name: 'clock', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    })
    expect(format([user('Hi')])).toEqual({ messages: [{ role: 'user', content: [text('Hi')] }] })
  })

  test.each<[string, RegExp, readonly Message[]]>([
    ['without its result', /"a" of clock has no result/, [answer([call('a', '{}')]), user('!')]],
    [
      'with its result too late',
      /"a" of clock has no result/,
      [answer([call('a', '{}')]), user('!'), result('a', [])],
    ],
    ['of a call that was never made', /"a" does not follow its call/, [user('!'), result('a', [])]],
    [
      'answered twice',
      /"a" does not follow its call/,
      [answer([call('a', '{}')]), result('a', []), result('a', [])],
    ],
  ])('refuses a call %s', (_, problem, messages) => {
    expect(() => format(messages)).toThrow(problem)
    expect(() => format(messages)).toThrow(TypeError)
  })

  test('[I28] [S002-10] is legal for every transcript, and a longer one changes nothing before it', () => {
    fc.assert(
      fc.property(conversations, fc.boolean(), (messages, hasTools) => {
        const tools = [{ name: 'clock', description: 'Time.', inputSchema: {} }]
        const fields = format(messages, hasTools ? { tools } : {})
        const body = { model: 'claude-test', max_tokens: 1, ...fields }

        const problems = anthropicProblems(body, {
          issued: thoughtsOf(messages),
          userTexts: userTextsOf(messages),
        })

        const isEmpty = fields.messages.length === 0
        if (!isEmpty) expect(fields.messages.at(-1)?.role).toBe('user')
        expect(problems).toEqual(
          isEmpty ? ['[messages_empty] body: at least one message is required'] : [],
        )
        expect(idsIn(format(wholeTurns(messages)).messages)).toEqual(
          idsIn(fields.messages).slice(0, idsIn(format(wholeTurns(messages)).messages).length),
        )
      }),
      { numRuns: 1000 },
    )
  })

  test('[I19] [S002-11] holds nothing but what the model may read, and changes no message', () => {
    fc.assert(
      fc.property(conversations, (messages) => {
        const before = JSON.stringify(messages)

        const fields = format(messages)

        expect(JSON.stringify(fields)).not.toContain(unseen)
        expect(JSON.stringify(messages)).toBe(before)
      }),
    )
  })

  test('[I28] [S002-2] gives each result the id of its call, whatever the ids were', () => {
    fc.assert(
      fc.property(fc.array(fc.array(hostileIds, { maxLength: 4 }), { maxLength: 4 }), (turns) => {
        const { messages } = format(numberedCalls(turns))

        const blocks = messages.flatMap((message) => message.content)
        const asked = blocks.flatMap((block) =>
          block.type === 'tool_use' ? [[block.id, block.input]] : [],
        )
        const given = blocks.flatMap((block) =>
          block.type === 'tool_result'
            ? [[block.tool_use_id, JSON.parse(textIn(block.content ?? []))]]
            : [],
        )
        expect(asked).toEqual(given)
        expect(new Set(asked.map(([id]) => id)).size).toBe(turns.flat().length)
      }),
    )
  })

  test('without a model leaves thinking out', () => {
    const thought: AssistantContent = { type: 'thinking', text: 'Hm.', signature: 's' }

    const { messages } = formatForAnthropic([user('Hi'), answer([thought, text('Yes.')])])

    expect(messages[1]?.content).toEqual([text('Yes.')])
  })

  test('has the shapes of the vendor’s package', () => {
    expectTypeOf<AnthropicFormat>().toExtend<
      Pick<MessageCreateParams, 'system' | 'messages' | 'tools' | 'tool_choice'>
    >()
  })
})

function format(messages: readonly Message[], options: Partial<AnthropicFormatOptions> = {}) {
  return formatForAnthropic(messages, { model: claude, ...options })
}

function own(data: OpaqueContent['data']): OpaqueContent {
  return { type: 'opaque', data }
}

function textIn(content: readonly object[]): string {
  return content.map((part) => ('text' in part ? String(part.text) : '')).join('')
}

function thoughtsOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  const parts = messages.flatMap((message) => (message.role === 'assistant' ? message.content : []))
  return new Map(
    parts.flatMap((part) => (part.type === 'thinking' ? [[part.signature ?? '', part.text]] : [])),
  )
}

function userTextsOf(messages: readonly Message[]): ReadonlySet<string> {
  const said = messages.filter((message): message is UserMessage => message.role === 'user')
  const { messages: sent } = format(said)
  return new Set(
    sent.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'text' ? part.text : [])),
    ),
  )
}

/** The transcript up to its last answer: what an earlier request held. */
function wholeTurns(messages: readonly Message[]): readonly Message[] {
  return messages.slice(
    0,
    messages.findLastIndex((message) => message.role === 'assistant'),
  )
}

function idsIn(messages: readonly { readonly content: unknown }[]): readonly string[] {
  return [...JSON.stringify(messages).matchAll(/"tool_use","id":"([^"]*)"/g)].map(
    (match) => match[1] ?? '',
  )
}

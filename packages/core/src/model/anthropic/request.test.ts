import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  answer,
  call,
  conversations,
  result,
  text,
  user,
} from '../format/conversations.fixtures.ts'
import type { ModelRequest } from '../port.ts'
import { type AnthropicRequestOptions, checkOptions, toBody, toCountedBody } from './request.ts'
import { anthropicProblems } from './strict.fixtures.ts'

const clock = { name: 'clock', description: 'Tells the time.', inputSchema: { type: 'object' } }
const everything: ModelRequest = { system: 'Be brief.', messages: [user('Hi')], tools: [clock] }
const mark = { type: 'ephemeral' }

describe('what a cache may keep', () => {
  test('ends after the system text and after the last two things that were said to the model', () => {
    const messages = [
      user('One?'),
      answer([call('a', '{}')]),
      result('a', [text('1')]),
      answer([text('One.')]),
      user('Two?', 'Quickly!'),
    ]

    const body = bodyOf({ ...everything, messages })

    expect(body.system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: mark }])
    expect(body.messages[4]?.content).toEqual([
      text('Two?'),
      { ...text('Quickly!'), cache_control: mark },
    ])
    expect(body.messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: [text('1')], cache_control: mark },
    ])
    expect(marksIn(body)).toBe(3)
  })

  test('ends after the tools where there is no system text', () => {
    const body = bodyOf({ ...everything, system: '', tools: [clock, { ...clock, name: 'map' }] })

    expect(body).not.toHaveProperty('system')
    expect(body.tools?.map((tool) => tool.cache_control)).toEqual([undefined, mark])
    expect(marksIn(bodyOf({ system: '', tools: [], messages: [user('Hi')] }))).toBe(1)
  })

  test('stays for an hour, or not at all, if that is wanted', () => {
    const hour = bodyOf(everything, { cache: '1h' })
    const none = bodyOf(everything, { cache: null })

    expect(
      JSON.stringify(hour).match(/"cache_control":\{"type":"ephemeral","ttl":"1h"\}/g),
    ).toHaveLength(2)
    expect(marksIn(none)).toBe(0)
    expect(none.system).toBe('Be brief.')
  })

  test('is at the beginning of the next request, byte for byte', () => {
    fc.assert(
      fc.property(conversations, fc.boolean(), (messages, hasSystem) => {
        // What is said in a system message joins the system text, so it changes the beginning.
        const said = messages.filter(({ role }) => role !== 'system')
        const system = hasSystem ? 'Be brief.' : ''
        const ends = said.flatMap(({ role }, end) => (role === 'assistant' ? [end] : []))
        for (const end of ends) {
          const before = unmarked({ system, tools: [clock], messages: said.slice(0, end) })
          const after = unmarked({ system, tools: [clock], messages: said })

          expect(after.head).toBe(before.head)
          expect(after.messages.startsWith(before.messages)).toBe(true)
        }
      }),
    )
  })

  test('leaves the fourth mark free, and is legal for every transcript', () => {
    const extraBody = { cache_control: { type: 'ephemeral' } } as const
    fc.assert(
      fc.property(conversations, fc.boolean(), (messages, hasTools) => {
        const body = bodyOf(
          { system: 'Be brief.', messages, tools: hasTools ? [clock] : [] },
          { extraBody },
        )

        expect(marksIn(body)).toBeLessThanOrEqual(4)
        expect(body.messages.length === 0 ? [] : anthropicProblems(body)).toEqual([])
      }),
    )
  })
})

describe('a request', () => {
  test.each<[Partial<AnthropicRequestOptions>, object]>([
    [{}, { max_tokens: 32_000 }],
    [{ maxTokens: 5 }, { max_tokens: 5 }],
    [{ thinking: null }, { thinking: { type: 'disabled' } }],
    [
      { thinking: { type: 'adaptive', display: 'summarized' } },
      { thinking: { type: 'adaptive', display: 'summarized' } },
    ],
    [
      { thinking: { type: 'enabled', budgetTokens: 2048, display: 'omitted' } },
      { thinking: { type: 'enabled', budget_tokens: 2048, display: 'omitted' } },
    ],
    [{ thinking: { type: 'between_tools' } }, { thinking: { type: 'between_tools' } }],
    [{ effort: 'xhigh' }, { output_config: { effort: 'xhigh' } }],
    [{ toolChoice: 'auto' }, { tool_choice: { type: 'auto' } }],
    [{ toolChoice: 'none' }, { tool_choice: { type: 'none' } }],
    [{ toolChoice: 'required' }, { tool_choice: { type: 'any' } }],
    [{ toolChoice: { name: 'clock' } }, { tool_choice: { type: 'tool', name: 'clock' } }],
    [
      { effort: 'low', extraBody: { output_config: { effort: 'max', format: null } } },
      { output_config: { effort: 'low', format: null } },
    ],
    [
      { toolChoice: 'none', extraBody: { tool_choice: { type: 'any' } } },
      { tool_choice: { type: 'none' } },
    ],
    [{ extraBody: { tool_choice: { type: 'any' } } }, { tool_choice: { type: 'any' } }],
    [{ extraBody: { service_tier: 'auto' } }, { service_tier: 'auto' }],
  ])('with %j holds %j', (options, fields) => {
    const body = bodyOf(everything, options)

    expect(body).toMatchObject(fields)
    expect(anthropicProblems(body)).toEqual([])
  })

  test('asks for no tool where there is none', () => {
    const history = [user('Time?'), answer([call('a', '{}')]), result('a', []), user('And?')]
    const options = { toolChoice: 'required', extraBody: { tool_choice: { type: 'any' } } } as const

    expect(bodyOf({ ...everything, tools: [] }, options)).not.toHaveProperty('tool_choice')
    expect(bodyOf({ ...everything, tools: [], messages: history }, options)).toMatchObject({
      tools: [{ name: 'clock' }],
      tool_choice: { type: 'none' },
    })
  })

  test('may have tools that the vendor runs, beside the agent’s and without', () => {
    const search = { type: 'web_search_20260318', name: 'web_search' } as const
    const extraBody = { tools: [search] }
    const history = [user('Time?'), answer([call('a', '{}')]), result('a', []), user('And?')]

    expect(
      bodyOf(everything, { extraBody }).tools?.map((tool) => 'name' in tool && tool.name),
    ).toEqual(['web_search', 'clock'])
    const alone = bodyOf({ ...everything, tools: [], messages: history }, { extraBody })
    expect(alone.tools).toEqual([search])
    expect(alone).not.toHaveProperty('tool_choice')
    expect(
      bodyOf(
        { ...everything, tools: [] },
        { extraBody: { ...extraBody, tool_choice: { type: 'any' } } },
      ),
    ).toMatchObject({ tool_choice: { type: 'any' } })
  })

  test('is counted by what it holds, without what only concerns the answer', () => {
    const options: Partial<AnthropicRequestOptions> = {
      thinking: { type: 'adaptive' },
      effort: 'low',
      toolChoice: 'auto',
      extraBody: { service_tier: 'auto', stop_sequences: ['.'] },
    }
    const {
      max_tokens: _,
      stream: __,
      service_tier: ___,
      stop_sequences: ____,
      ...counted
    } = bodyOf(everything, options)

    expect(toCountedBody(bodyOf(everything, options))).toEqual(counted)
    expect(toCountedBody(bodyOf({ system: '', tools: [], messages: [user('Hi')] }))).toEqual({
      model: 'claude-test',
      messages: [{ role: 'user', content: [{ ...text('Hi'), cache_control: mark }] }],
    })
  })
})

describe('options that the API would refuse', () => {
  const thinks = { type: 'enabled', budgetTokens: 2048 } as const

  test.each<[Partial<AnthropicRequestOptions>, RegExp]>([
    [{ maxTokens: 0 }, /`maxTokens`/],
    [{ maxTokens: 1.5 }, /`maxTokens`/],
    [{ maxTokens: Number.NaN }, /`maxTokens`/],
    [{ thinking: { type: 'adaptive' }, toolChoice: 'required' }, /thinks cannot be made to call/],
    [{ thinking: thinks, toolChoice: { name: 'clock' } }, /thinks cannot be made to call/],
    [{ thinking: { ...thinks, budgetTokens: 1023 } }, /`budgetTokens`.*1024/],
    [{ thinking: thinks, maxTokens: 2048 }, /`budgetTokens`.*2048/],
    [{ thinking: { ...thinks, budgetTokens: 2000.5 } }, /`budgetTokens`/],
    [{ thinking: { type: 'between_tools' }, effort: 'xhigh' }, /`effort`.*"high"/],
    [{ thinking: { type: 'between_tools' }, effort: 'max' }, /`effort`.*"high"/],
  ])('%j are a mistake', (options, problem) => {
    const check = () => checkOptions({ model: 'claude-test', ...options })

    expect(check).toThrow(TypeError)
    expect(check).toThrow(problem)
  })

  test.each<Partial<AnthropicRequestOptions>>([
    {},
    { thinking: null, toolChoice: 'required' },
    { thinking: { type: 'adaptive' }, toolChoice: 'none' },
    { thinking: thinks, maxTokens: 2049 },
    { effort: 'max', toolChoice: { name: 'clock' } },
    { thinking: { type: 'between_tools' }, effort: 'high' },
    { thinking: { type: 'adaptive' }, effort: 'max' },
  ])('are not %j', (options) => {
    expect(() => checkOptions({ model: 'claude-test', ...options })).not.toThrow()
  })
})

function bodyOf(request: ModelRequest, options: Partial<AnthropicRequestOptions> = {}) {
  return toBody(request, { model: 'claude-test', ...options })
}

function marksIn(body: object): number {
  return JSON.stringify(body).split('"cache_control"').length - 1
}

/** A request as the cache sees it: marks are no part of what it keeps. */
function unmarked(request: ModelRequest): { readonly head: string; readonly messages: string } {
  const body = bodyOf(request)
  const text = (value: unknown) =>
    JSON.stringify(value, (key, field: unknown) => (key === 'cache_control' ? undefined : field))
  return {
    head: text([body.tools, body.system]),
    messages: blocksOf(body.messages).map(text).join(),
  }
}

/** What is said one after another: a message that grows is not another message. */
function blocksOf(messages: readonly { readonly role: string; readonly content: unknown }[]) {
  return messages.flatMap(({ role, content }) =>
    Array.isArray(content) ? content.map((block: unknown) => [role, block]) : [[role, content]],
  )
}

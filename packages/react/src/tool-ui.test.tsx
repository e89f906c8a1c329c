import { createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { act, cleanup, render } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineToolUI, ToolCall, type ToolUI } from './index.ts'

afterEach(cleanup)

const double = defineTool({
  name: 'double',
  description: 'Doubles.',
  place: 'page',
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ twice: z.number() }),
})
const greet = defineTool({
  name: 'greet',
  description: 'Greets.',
  place: 'page',
  inputSchema: z.object({ name: z.string() }),
})

const doubleUI = defineToolUI(double, ({ call: { hasValidArgs, args, output } }) => {
  const [label] = useState('Twice')
  return (
    <p>
      {label} {hasValidArgs && args.n} is {output?.twice}
    </p>
  )
})
const otherUI = defineToolUI('*', ({ call: { label, status } }) => (
  <p>
    {label}: {status}
  </p>
))

test.for<readonly [what: string, ui: readonly ToolUI[], texts: readonly string[]]>([
  [
    'each call with the card of its tool',
    [doubleUI, otherUI],
    ['Twice 2 is 4', 'greet: succeeded'],
  ],
  [
    'the card of a tool before that of all others',
    [otherUI, doubleUI],
    ['Twice 2 is 4', 'greet: succeeded'],
  ],
  ['what has no card not at all', [doubleUI], ['Twice 2 is 4']],
])('shows %s', async ([, ui, texts]) => {
  const agent = createAgent({
    model: scriptedModel(
      [call('double', { n: 2 }), call('greet', { name: 'Ada' })],
      [say('Done.')],
    ),
    tools: inPage([
      implement(double, ({ n }) => ({ twice: 2 * n })),
      implement(greet, ({ name }) => `Hello, ${name}.`),
    ]),
  })
  await act(() => agent.prompt('Go.'))
  const ids = agent
    .getState()
    .messages.flatMap(({ content }) =>
      [...content].flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : [])),
    )
  expect(ids).toHaveLength(2)

  const { container } = render(
    ['unknown', ...ids].map((id) => <ToolCall key={id} agent={agent} toolCallId={id} ui={ui} />),
  )

  expect([...container.querySelectorAll('p')].map((p) => p.textContent)).toEqual(texts)
  agent.dispose()
})

test('a card has the types of its tool', () => {
  defineToolUI(double, ({ call }) => {
    expectTypeOf(call.output?.twice).toEqualTypeOf<number | undefined>()
    if (call.hasValidArgs) expectTypeOf(call.args).toEqualTypeOf<{ n: number }>()
    // @ts-expect-error: the arguments are not known to fit
    call.args.n
    // @ts-expect-error: there is no such output
    call.output?.thrice
    return null
  })
  defineToolUI('*', ({ call }) => {
    expectTypeOf(call.output).toBeUnknown()
    return null
  })
  // @ts-expect-error: a tool is given by its definition, which has the types
  defineToolUI('double', () => null)
})

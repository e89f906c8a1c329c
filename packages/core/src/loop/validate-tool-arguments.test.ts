import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../tools/definition.ts'
import { ToolError } from '../tools/tool-error.ts'
import { type ToolArguments, validateToolArguments } from './validate-tool-arguments.ts'

const tool = defineTool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({
    to: z.string().optional(),
    amount: z.string().transform(Number).default(5),
    notes: z.array(z.string()).optional(),
  }),
})

test.for<readonly [call: ToolArguments, input: object]>([
  [{ argsText: '{"to":"Ada","amount":"7"}' }, { to: 'Ada', amount: 7 }],
  [{ args: { to: 'Ada', amount: '7' } }, { to: 'Ada', amount: 7 }],
  [{ argsText: '' }, { amount: 5 }],
  [{ args: {} }, { amount: 5 }],
])('[S000-12] returns the input as the tool gets it: %j', async ([call, expected]) => {
  const input = await validateToolArguments(tool, call)

  expect(input).toEqual(expected)
  expectTypeOf(input).toEqualTypeOf<{
    to?: string | undefined
    amount: number
    notes?: string[] | undefined
  }>()
})

test('[S000-12] takes a call in the form it has in an answer', async () => {
  const call = {
    type: 'toolCall',
    toolCallId: 'c1',
    toolName: 'pay',
    argsText: '{"to":"Ada"}',
  } as const

  expect(await validateToolArguments(tool, call)).toEqual({ to: 'Ada', amount: 5 })
})

test.for<readonly [call: ToolArguments, problem: string]>([
  [{ argsText: '{"to":' }, 'Invalid arguments: they are not valid JSON.'],
  [{ argsText: '[1]' }, 'Invalid arguments: they are not an object.'],
  [
    { argsText: '{"amount":1e999}' },
    'Invalid arguments: they are too deep or a number is too large.',
  ],
  [
    { argsText: '{"notes":["a",1]}' },
    'Invalid arguments: notes.1: Invalid input: expected string, received number',
  ],
  [
    { args: { amount: 7 } },
    'Invalid arguments: amount: Invalid input: expected string, received number',
  ],
])('[S000-12] [S003-4] refuses with path and problem: %j', async ([call, problem]) => {
  const refusal: unknown = await validateToolArguments(tool, call).catch((error: unknown) => error)

  expect(refusal).toBeInstanceOf(ToolError)
  expect(refusal).toMatchObject({ kind: 'invalid_args', message: problem })
})

test('[S003-4] keeps its text within 1,000 characters', async () => {
  const refusal = validateToolArguments(tool, { args: { notes: Array(500).fill(1) } })

  await expect(refusal).rejects.toMatchObject({
    message: expect.stringMatching(/^.{999}…$/),
  })
})

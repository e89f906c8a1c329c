import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { toolResult } from '../result/tool-result.ts'
import type { ParsedToolInput, ToolInput, ToolOutput } from '../tool-types.ts'
import type { ToolContext } from './context.ts'
import { type Execute, implement } from './implement.ts'
import { serveTools } from './serve.ts'

const typed = defineTool({
  name: 'typed',
  description: 'Has both schemas.',
  inputSchema: z.object({ n: z.number().default(1), at: z.string().transform(Number) }),
  outputSchema: z.object({ kind: z.enum(['even', 'odd']) }),
})
const free = defineTool({
  name: 'free',
  description: 'May return anything.',
  inputSchema: z.object({ text: z.string() }),
})

test('infers input and output across the boundary', () => {
  expectTypeOf<ToolInput<typeof typed>>().toEqualTypeOf<{ n?: number | undefined; at: string }>()
  expectTypeOf<ParsedToolInput<typeof typed>>().toEqualTypeOf<{ n: number; at: number }>()
  expectTypeOf<ToolOutput<typeof typed>>().toEqualTypeOf<{ kind: 'even' | 'odd' }>()
  expectTypeOf<ToolOutput<typeof free>>().toEqualTypeOf<unknown>()

  implement(typed, (input, context) => {
    expectTypeOf(input).toEqualTypeOf<{ n: number; at: number }>()
    expectTypeOf(context).toEqualTypeOf<ToolContext>()
    return { kind: 'even' }
  })
  implement(free, async ({ text }, { signal }) => {
    expectTypeOf(text).toEqualTypeOf<string>()
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
  })
})

test('accepts every form of a result', () => {
  implement(typed, () => ({ kind: 'odd' }))
  implement(typed, async ({ n }) => ({ kind: n % 2 === 0 ? 'even' : 'odd' }))
  implement(typed, () => toolResult({ output: { kind: 'odd' }, content: 'It is odd.' }))
  implement(typed, async () => toolResult({ output: { kind: 'odd' }, details: new Date() }))
  implement(typed, (): never => {
    throw new Error()
  })
  implement(free, () => undefined)
  implement(free, (): unknown => JSON.parse('1'))
  implement(free, () => ({ default: 'a field, not a module' }))
  implement(free, () => toolResult({ content: 'done', terminate: true }))

  expect(implement(free, () => 1).tool).toBe(free)
})

test('accepts modules whose default export fits', () => {
  const execute: Execute<typeof typed> = ({ at }) => ({ kind: at > 1 ? 'even' : 'odd' })
  const executeFree: Execute<typeof free> = ({ text }) => text

  implement(typed, () => Promise.resolve({ default: execute }))
  implement(typed, async () => ({ default: execute }))
  implement(free, () => Promise.resolve({ default: executeFree }))
  implement(free, () => Promise.resolve({ default: executeFree, other: 1 }))
})

test('does not compile with the wrong types', () => {
  // @ts-expect-error: the output has another form
  implement(typed, () => ({ kind: 'neither' }))
  // @ts-expect-error: there is no output
  implement(typed, () => {})
  // @ts-expect-error: the output is missing
  implement(typed, () => toolResult({ content: 'no output' }))
  // @ts-expect-error: the output in it has another form
  implement(typed, async () => toolResult({ output: { kind: 1 } }))
  // @ts-expect-error: content alone is no typed output
  implement(typed, () => ({ content: [{ type: 'text', text: '' }] }))
  // @ts-expect-error: the input has no such field
  implement(typed, ({ missing }) => ({ kind: missing ? 'even' : 'odd' }))
  // @ts-expect-error: the input is another one
  implement(free, ({ text }: { text: number }) => text)
  // @ts-expect-error: the module's code takes another input
  implement(free, () => Promise.resolve({ default: ({ text }: { text: number }) => text }))
  // @ts-expect-error: the module's code has another output
  implement(typed, () => Promise.resolve({ default: () => 1 }))
  // @ts-expect-error: a tool that was not defined cannot be implemented
  implement('typed', () => ({ kind: 'odd' }))
  // @ts-expect-error: nor an object that only looks like one
  implement({ name: 'typed' }, () => ({ kind: 'odd' }))
  // @ts-expect-error: code is a function
  expect(() => implement(free, 'code')).toThrow('implement needs a function for tool "free".')
  // @ts-expect-error: serveTools takes implementations, not tools
  expect(() => serveTools([free])).toThrow(TypeError)
})

const checked = defineTool({
  name: 'checked',
  description: 'Can be asked what became of a call.',
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ sent: z.boolean() }),
  onInterrupt: 'check',
})

test('[D48] a tool that is to be asked needs a check, whose answer has the type of its result', () => {
  implement(checked, () => ({ sent: true }), {
    check: async ({ n }, { toolCallId }) => {
      expectTypeOf(n).toEqualTypeOf<number>()
      return toolCallId === 'call_1'
        ? { status: 'done', result: { sent: n > 1 } }
        : { status: 'not_done' }
    },
  })
  // @ts-expect-error: the result of a check is that of the tool.
  implement(checked, () => ({ sent: true }), { check: () => ({ status: 'done', result: 1 }) })

  expect(() => implement(checked, () => ({ sent: true }))).toThrow(
    new TypeError(
      `Tool "checked" has onInterrupt: 'check', so implement needs a third argument: { check: (input, context) => … }.`,
    ),
  )
})

import { defineTool, implement, toolResult } from '@offthread/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { dataResponse, toolSuccess } from './tool-responses.ts'

test.for([
  [
    dataResponse({ data: { n: 1 }, message: 'Found one.' }),
    toolResult({ output: { n: 1 }, message: 'Found one.' }),
  ],
  [dataResponse({ data: [1] }), toolResult({ output: [1] })],
  [toolSuccess({ message: 'Sent.' }), toolResult({ message: 'Sent.' })],
  [
    toolSuccess({ data: { id: 7 }, message: 'Sent.' }),
    toolResult({ output: { id: 7 }, message: 'Sent.' }),
  ],
  [toolSuccess({}), toolResult({})],
])('[S001-9] the names of the specification make the same result: %#', ([response, result]) => {
  expect(response).toEqual(result)
})

test('a response is typed by the tool that returns it', () => {
  const definition = { description: '', inputSchema: z.object({}) }
  const free = defineTool({ ...definition, name: 'free' })
  const outputSchema = z.object({ n: z.number() })
  const typed = defineTool({ ...definition, name: 'typed', outputSchema })
  implement(typed, () => dataResponse({ data: { n: 1 }, message: 'one' }))
  implement(typed, () => toolSuccess({ data: { n: 1 } }))
  implement(free, () => toolSuccess({ message: 'done' }))
  // @ts-expect-error: n is a number
  implement(typed, () => dataResponse({ data: { n: 'one' } }))
  // @ts-expect-error: the tool promises data
  implement(typed, () => toolSuccess({ message: 'done' }))
  // @ts-expect-error: a data response has data
  expect(() => dataResponse({ message: 'none' })).not.toThrow()
})

import { expect, test } from 'vitest'
import { stackText } from './stack-text.ts'

test('the stack of an error, with those of its causes', () => {
  const details = {
    name: 'Error',
    stack: 'Error: No\n    at run (tool.js:1)\n',
    cause: { message: 'Why', cause: { stack: 'TypeError: Deep\n    at read (tool.js:9)' } },
  }
  expect(stackText({ details })).toBe(
    'Error: No\n    at run (tool.js:1)\n\nCaused by: TypeError: Deep\n    at read (tool.js:9)',
  )
})

test.each([undefined, null, 'text', { code: 5 }, { stack: 5, cause: 'text' }])(
  'details %j have none',
  (details) => {
    expect(stackText({ ...(details !== undefined && { details }) })).toBeUndefined()
  },
)

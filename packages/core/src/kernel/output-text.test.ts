import { expect, test } from 'vitest'
import { text } from './log.fixtures.ts'
import { outputTextOf } from './output-text.ts'

test.for<readonly [answer: string, json: string]>([
  ['{"a":1}', '{"a":1}'],
  [' \n```json\n{"a":1}\n```\n ', '{"a":1}'],
  ['```{"a":1}```', '{"a":1}'],
  ['{"a":"```"', '{"a":"```"'],
  ['{"a":1} and more', '{"a":1} and more'],
  ['There is none.', ''],
])('[O1] the JSON of %j', ([answer, json]) => {
  expect(outputTextOf([text(answer)])).toBe(json)
})

test('[O1] white space without end, as models that are held to JSON may write, costs its length', () => {
  const space = ' '.repeat(100_000)

  expect(outputTextOf([text(`{"a":${space}1}${space}`)])).toBe(`{"a":${space}1}`)
})

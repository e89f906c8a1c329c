import { expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createCallLog } from './call-log.ts'

test.for([
  ['as V8 writes it', 'RangeError: It is too long.\n    at code (tools.js:1:1)', undefined],
  ['as others do', 'code@tools.js:1:1\n', 'RangeError: It is too long.\ncode@tools.js:1:1'],
  ['without a stack', '', 'RangeError: It is too long.'],
])(
  '[W12] an error in the log has its name and message once, with a stack %s',
  ([, stack, text]) => {
    const error = Object.assign(new RangeError('It is too long.'), { stack })

    expect(lineOf(error)).toBe(text ?? stack)
  },
)

function lineOf(value: unknown): string {
  const lines: string[] = []
  const outlet = { log: ({ text }: { text: string }) => lines.push(text) }
  createCallLog(outlet, fakeClock())('error', [value])
  return lines.join()
}

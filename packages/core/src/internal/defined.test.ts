import { expect, expectTypeOf, test } from 'vitest'
import { defined } from './defined.ts'

const reason: string | undefined = ['late'].at(1)

test('a field that is undefined is absent; every other value stays, also one that is falsy', () => {
  const fields = defined({ reason, text: '', count: 0, isError: false, nothing: null })

  expect(Object.keys(fields)).toEqual(['text', 'count', 'isError', 'nothing'])
  expect(fields).toEqual({ text: '', count: 0, isError: false, nothing: null })
})

test('only a field that may be undefined is optional', () => {
  const fields = defined({ reason, text: 'hi' as string })

  expectTypeOf<Pick<typeof fields, 'text'>>().toEqualTypeOf<{ readonly text: string }>()
  expectTypeOf<Pick<typeof fields, 'reason'>>().toEqualTypeOf<{ readonly reason?: string }>()
})

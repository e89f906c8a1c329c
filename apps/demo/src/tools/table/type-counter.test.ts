import { expect, test, vi } from 'vitest'
import { createTypeCounter } from './type-counter.ts'

test('the names of columns, which take time, are asked for once a piece, however many there are', () => {
  const columns = vi.fn(() => Array.from({ length: 200 }, (_, at) => `c${at}`))
  const { add, rows } = createTypeCounter({
    ...{ columns, typeOf: () => 'text', push: () => [], notes: () => [] },
  })

  add([['a']])

  expect(rows()).toBe(1)
  expect(columns).toHaveBeenCalledOnce()
})

import { expect, test } from 'vitest'
import { frozen } from './freeze.ts'

test('freezes plain data at any depth', () => {
  const data = frozen({ list: [{ n: 1 }], field: { deep: {} } })

  expect([data, data.list, data.list[0], data.field.deep].every(Object.isFrozen)).toBe(true)
})

test('leaves alone what a page has given to all objects', () => {
  const ofThePage = { changes: true }
  Object.defineProperty(Object.prototype, 'inherited', {
    ...{ value: ofThePage, enumerable: true, configurable: true },
  })
  try {
    frozen({ own: {} })
  } finally {
    Reflect.deleteProperty(Object.prototype, 'inherited')
  }

  expect(Object.isFrozen(ofThePage)).toBe(false)
})

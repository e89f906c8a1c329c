import { expect, test } from 'vitest'
import { layoutEdit } from './layout-edit.ts'

const image = { width: 400, height: 200 }

test.for([
  [{}, 400, 200],
  [{ width: 100 }, 100, 50],
  [{ height: 100 }, 200, 100],
  [{ width: 100, height: 100 }, 100, 100],
  [{ width: 1 }, 1, 1],
  [{ rotate: 90 }, 200, 400],
  [{ rotate: 180 }, 400, 200],
  [{ rotate: 270, width: 100 }, 50, 100],
  [{ crop: { x: 300, y: 100, width: 100, height: 100 } }, 100, 100],
  [{ crop: { x: 0, y: 0, width: 10, height: 100 }, height: 50, rotate: 90 }, 50, 5],
] as const)('%j gives %d × %d pixels', ([edit, width, height]) => {
  expect(layoutEdit(edit, image)).toMatchObject({ width, height })
})

test('says why it cannot be done', () => {
  const outside = { crop: { x: 350, y: 0, width: 100, height: 10 } }
  expect(() => layoutEdit(outside, image)).toThrow('which has 400 × 200 pixels')
  expect(() => layoutEdit({ width: 16_384, height: 16_384 }, image)).toThrow('120 million pixels')
})

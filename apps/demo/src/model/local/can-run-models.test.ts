import { afterEach, expect, test, vi } from 'vitest'
import { obstacleToModels } from './can-run-models.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const able = { features: new Set(['shader-f16']), info: { isFallbackAdapter: false } }

test('a card with 16-bit numbers can run models', async () => {
  expect(await obstacleWith(async () => able)).toBeUndefined()
})

test.each([
  ['none', async () => null, 'The browser found no graphics card to run it on.'],
  [
    'one that is the processor',
    async () => ({ ...able, info: { isFallbackAdapter: true } }),
    'The browser found no graphics card to run it on.',
  ],
  [
    'one that the browser does not give out',
    () => Promise.reject(new Error('no')),
    'The browser found no graphics card to run it on.',
  ],
  [
    'one without 16-bit numbers',
    async () => ({ ...able, features: new Set() }),
    'The graphics card has no 16-bit numbers (shader-f16), which the model needs.',
  ],
])('of a card it is said why not: %s', async (_, requestAdapter, sentence) => {
  expect(await obstacleWith(requestAdapter)).toBe(sentence)
})

test('a browser without WebGPU is said to have none', async () => {
  vi.stubGlobal('navigator', {})
  expect(await obstacleToModels()).toBe(
    'This browser does not compute on the graphics card (WebGPU).',
  )
})

function obstacleWith(requestAdapter: () => Promise<object | null>) {
  vi.stubGlobal('navigator', { gpu: { requestAdapter } })
  return obstacleToModels()
}

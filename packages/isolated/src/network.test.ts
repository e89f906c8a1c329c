import { expect, test } from 'vitest'
import { readNetworkOptions } from './network.ts'

test('[N4] accepts exact origins, and fills in the rest', () => {
  const rules = readNetworkOptions({
    origins: ['https://api.example.com', 'http://localhost:8080'],
    methods: ['get', 'Post'],
  })

  expect([...rules.origins]).toEqual(['https://api.example.com', 'http://localhost:8080'])
  expect([...rules.methods]).toEqual(['GET', 'POST'])
  expect(rules).toMatchObject({ maxBytes: 1_000_000, timeoutMs: 10_000 })
})

test.for([
  ['https://api.example.com/', 'write https://api.example.com.'],
  ['https://api.example.com/v1', 'write https://api.example.com.'],
  ['https://api.example.com:443', 'write https://api.example.com.'],
  ['https://me@api.example.com', 'write https://api.example.com.'],
  ['HTTPS://API.example.com', 'write https://api.example.com.'],
  ['api.example.com', 'write https://api.example.com.'],
  ['*', 'write https://api.example.com.'],
  ['https://*.example.com', 'write https://api.example.com.'],
  ['data:text/plain,a', 'write https://api.example.com.'],
  ['wss://api.example.com', 'no exact origin'],
])('refuses an inexact origin: %s', ([origin = '', problem = '']) => {
  expect(() => readNetworkOptions({ origins: [origin] })).toThrow(problem)
  expect(() => readNetworkOptions({ origins: [], never: [origin] })).toThrow(problem)
})

test('[N5] refuses the origin of a model provider, known or named', () => {
  expect(() => readNetworkOptions({ origins: ['https://api.anthropic.com'] })).toThrow(
    'network.origins must not hold https://api.anthropic.com: it is never asked.',
  )
  const never = ['https://models.example.com']
  expect(() => readNetworkOptions({ origins: never, never })).toThrow('it is never asked.')
})

test.for([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a limit of %s', (limit) => {
  expect(() => readNetworkOptions({ origins: [], maxBytes: limit })).toThrow('network.maxBytes')
  expect(() => readNetworkOptions({ origins: [], timeoutMs: limit })).toThrow('network.timeoutMs')
})

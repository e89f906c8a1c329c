import { expect, test } from 'vitest'
import { bytesOf } from '../tools.fixtures.ts'
import { createDistinctCounter, hashOf } from './distinct-counter.ts'

test('counts different numbers exactly, up to its limit', () => {
  const counter = createDistinctCounter(1000)
  const seen = new Set<number>()
  for (let i = 0; i < 5000; i++) {
    const value = ((i * 7919) % 997) / 8 - 50
    expect(counter.add(value)).toBe(!seen.has(value))
    seen.add(value)
  }
  expect(counter.count()).toBe(997)
  for (let i = 0; i < 5000; i++) counter.add(i + 0.1)
  expect(counter.count()).toBe(1000)
})

test('takes 0 and -0 as one value', () => {
  const counter = createDistinctCounter(10)
  counter.add(0)
  expect(counter.add(-0)).toBe(false)
})

test('gives different texts different numbers', () => {
  const hashes = new Set<number>()
  const count = 300_000
  for (let i = 0; i < count; i++) {
    const bytes = bytesOf(i % 2 ? `Product ${i}` : i.toString(2))
    hashes.add(hashOf(bytes, 0, bytes.length))
  }
  expect(hashes.size).toBe(count)
})

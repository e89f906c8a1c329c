import { afterEach, expect, test, vi } from 'vitest'
import { sha256 } from './sha256.ts'

afterEach(() => void vi.unstubAllGlobals())

const known = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['Київ 🕰️', null],
] as const

test.each(known)('of %j is the same with and without a secure context', async (text, digest) => {
  const byPlatform = await sha256(text)
  vi.stubGlobal('crypto', {})

  expect(await sha256(text)).toBe(byPlatform)
  if (digest) expect(byPlatform).toBe(digest)
  expect(byPlatform).toMatch(/^[0-9a-f]{64}$/)
})

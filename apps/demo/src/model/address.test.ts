import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { originOf, readAddress } from './address.ts'

beforeEach(() => void vi.stubGlobal('location', { origin: 'https://page.example' }))
afterEach(() => void vi.unstubAllGlobals())

test('takes the addresses that people copy, and leaves out what the adapter adds', () => {
  const read = [
    readAddress(' https://api.anthropic.com/v1/messages ', 'anthropic'),
    readAddress('https://proxy.example/claude/v1/', 'anthropic'),
    readAddress('http://localhost:11434/v1/chat/completions', 'openai'),
    readAddress('http://127.0.0.1:1234/v1//', 'openai'),
    readAddress('/api/openai/v1', 'openai'),
  ]

  expect(read).toEqual([
    { address: 'https://api.anthropic.com', origin: 'https://api.anthropic.com' },
    { address: 'https://proxy.example/claude', origin: 'https://proxy.example' },
    { address: 'http://localhost:11434/v1', origin: 'http://localhost:11434' },
    { address: 'http://127.0.0.1:1234/v1', origin: 'http://127.0.0.1:1234' },
    { address: '/api/openai/v1', origin: 'https://page.example' },
  ])
})

const refused = [
  ['', /Enter the address/],
  ['   ', /Enter the address/],
  ['localhost:1234', /This is not an address/],
  ['api.anthropic.com', /This is not an address/],
  ['javascript:alert(1)', /This is not an address/],
  ['//evil.example/v1', /This is not an address/],
  ['https://sk-secret@api.example/v1', /password/],
  ['https://api.example/v1?key=sk-secret', /Remove the part/],
  ['https://api.example/v1#sk-secret', /Remove the part/],
  ['http://192.168.1.5:8000/v1', /enter an https address for 192\.168\.1\.5/i],
  ['http://localhost.evil.example/v1', /enter an https address/i],
] as const

test.each(refused)('refuses "%s" and says why', (text, why) => {
  expect(readAddress(text, 'openai').problem).toMatch(why)
  expect(originOf(text, 'openai')).toBeNull()
})

test('never quotes what may be a key', () => {
  for (const [text] of refused) {
    expect(readAddress(text, 'anthropic').problem).not.toContain('secret')
  }
})

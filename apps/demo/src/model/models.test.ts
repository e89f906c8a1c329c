import type { AgentChanges, Model } from '@offthread/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createModels, labelOfModel, type Models } from './models.ts'
import { defaultSettings } from './settings.ts'

const key = 'sk-canary-1234'
const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('location', { origin: 'https://page.example' })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('leaves an agent alone until something else than the planner is chosen', () => {
  const { changes, models } = open()
  expect(changes).toEqual([])

  models.choose(at('https://one.example'), key)

  expect(changes.map(({ model }) => model?.identity)).toEqual([
    { provider: 'anthropic', id: 'claude-test' },
  ])
})

test('[E17] keeps a key for its origin, whatever the path, and drops it for another', () => {
  const { models } = open()
  models.choose(at('https://one.example'), key)
  models.choose(at('https://one.example/proxy'), '')
  expect(models.getState().keyOrigins.anthropic).toBe('https://one.example')
  expect(models.getState().settings.anthropic.usesKey).toBe(true)

  models.choose(at('https://two.example'), '')
  expect(models.getState().keyOrigins.anthropic).toBeNull()
  expect(models.getState().settings.anthropic.usesKey).toBe(false)

  models.choose(at('https://one.example'), '')
  expect(models.getState().keyOrigins.anthropic).toBeNull()
})

test('remembers a choice for the next visit, and no key', () => {
  open().models.choose(at('https://one.example'), key)
  expect([...stored.values()].join()).toContain('https://one.example')
  expect([...stored.values()].join()).not.toContain('canary')

  const { changes, models } = open()

  expect(changes).toHaveLength(1)
  expect(models.getState().settings).toMatchObject({ provider: 'anthropic' })
  expect(labelOfModel(models.getState())).toEqual({ name: 'claude-test', detail: 'key needed' })
})

test.each([
  'no JSON',
  '{"provider":"constructor","anthropic":{"address":"javascript:alert(1)","model":"m"}}',
  '{"anthropic":{"address":7},"openai":[]}',
  'null',
])('uses the defaults where %s was stored', (text) => {
  stored.set('offthread-model', text)

  expect(open().models.getState().settings).toEqual(defaultSettings)
})

test('has a choice that is made in a run wait for the next one', () => {
  let isRunning = true
  const { changes, models } = open(() => isRunning)
  models.choose(at('https://one.example'), key)
  expect(changes).toEqual([])
  expect(models.getState().isWaiting).toBe(true)

  isRunning = false
  models.apply()
  models.apply()

  expect(changes).toHaveLength(1)
  expect(models.getState().isWaiting).toBe(false)
})

test('shows no key', () => {
  const { models } = open()
  models.choose(at('https://one.example'), key)

  expect(JSON.stringify([models.getState(), models])).not.toContain('canary')
})

function at(address: string) {
  const provider = 'anthropic'
  return {
    ...defaultSettings,
    provider,
    anthropic: { address, model: 'claude-test', usesKey: false },
  } as const
}

function open(isRunning = () => false): {
  readonly changes: readonly AgentChanges[]
  readonly models: Models
} {
  const changes: AgentChanges[] = []
  const configure = (change: AgentChanges) => void changes.push(change)
  const planner = (): Model => ({ identity: { provider: 'test', id: 'planner' }, stream: none })
  return { changes, models: createModels({ configure, isRunning }, planner) }
}

async function* none() {}

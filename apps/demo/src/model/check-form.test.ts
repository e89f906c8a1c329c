import { expect, test } from 'vitest'
import { checkForm, mostOfKeyField } from './check-form.ts'
import { defaultSettings } from './settings.ts'

test.each([
  ['takes a key that the field holds whole', 10_000, undefined],
  ['refuses a key that the field may have cut', mostOfKeyField, 'key'],
])('%s', (_, length, field) => {
  const settings = { ...defaultSettings, provider: 'anthropic' } as const
  const key = { hasKey: () => true, typed: () => 'k'.repeat(length) }

  expect(checkForm(settings, key)?.field).toBe(field)
})

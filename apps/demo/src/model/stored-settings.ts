import { fieldsOf, textField } from '../text/fields.ts'
import { readAddress } from './address.ts'
import type { RemoteProvider } from './providers.ts'
import type { ModelSettings, RemoteSettings } from './settings.ts'
import { defaultSettings } from './settings.ts'

const name = 'offthread-model'

/** What was chosen last time; the default for whatever is missing or does not fit. */
export function storedSettings(): ModelSettings {
  try {
    return toSettings(JSON.parse(localStorage.getItem(name) ?? 'null'))
  } catch {
    return defaultSettings
  }
}

/** Remembers a choice, without storage for this visit only. There is no key in it. */
export function storeSettings({ provider, anthropic, openai }: ModelSettings): void {
  const plain = ({ address, model, usesKey }: RemoteSettings) => ({ address, model, usesKey })
  const text = JSON.stringify({ provider, anthropic: plain(anthropic), openai: plain(openai) })
  try {
    localStorage.setItem(name, text)
  } catch {
    // It holds for this visit then.
  }
}

const providers = ['planner', 'anthropic', 'openai', 'chrome'] as const

function toSettings(stored: unknown): ModelSettings {
  const fields = fieldsOf(stored)
  return {
    provider:
      providers.find((provider) => provider === fields['provider']) ?? defaultSettings.provider,
    anthropic: toRemote(fields, 'anthropic'),
    openai: toRemote(fields, 'openai'),
  }
}

function toRemote(stored: Readonly<Record<string, unknown>>, provider: RemoteProvider) {
  const fields = fieldsOf(stored[provider])
  const address = textField(fields, 'address')
  const model = textField(fields, 'model')
  if (address === undefined || model === undefined || model === '') return defaultSettings[provider]
  if (readAddress(address, provider).problem !== undefined) return defaultSettings[provider]
  return { address, model, usesKey: fields['usesKey'] === true }
}

import { z } from 'zod'
import { readAddress } from './address.ts'
import type { RemoteProvider } from './providers.ts'
import type { ModelSettings, RemoteSettings } from './settings.ts'
import { defaultSettings } from './settings.ts'

const name = 'offthread-model'

const settingsSchema = z
  .object({
    provider: z.enum(['planner', 'anthropic', 'openai', 'chrome']).catch(defaultSettings.provider),
    anthropic: remoteSchema('anthropic'),
    openai: remoteSchema('openai'),
  })
  .catch(defaultSettings)

function remoteSchema(provider: RemoteProvider) {
  const isAddress = (text: string) => readAddress(text, provider).problem === undefined
  return z
    .object({
      address: z.string().refine(isAddress),
      model: z.string().min(1),
      usesKey: z.boolean().catch(false),
    })
    .catch(defaultSettings[provider])
}

/** What was chosen last time. What is missing or does not fit is replaced by its default. */
export function storedSettings(): ModelSettings {
  try {
    return settingsSchema.parse(JSON.parse(localStorage.getItem(name) ?? 'null'))
  } catch {
    return defaultSettings
  }
}

/** Remembers a choice. Without storage, it holds for this visit only. No key is in it. */
export function storeSettings({ provider, anthropic, openai }: ModelSettings): void {
  const plain = ({ address, model, usesKey }: RemoteSettings) => ({ address, model, usesKey })
  const text = JSON.stringify({ provider, anthropic: plain(anthropic), openai: plain(openai) })
  try {
    localStorage.setItem(name, text)
  } catch {
    // It holds for this visit then.
  }
}

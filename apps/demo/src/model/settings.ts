import { z } from 'zod'
import { readAddress } from './address.ts'
import type { Provider, RemoteProvider } from './providers.ts'

/** How a provider is reached. Never its key. */
export interface RemoteSettings {
  readonly address: string
  readonly model: string
  /** A key was given for it. Keys are forgotten with the page, this is not. */
  readonly usesKey: boolean
}

/** Which model answers, and what was entered for those that do not: nothing of it is secret. */
export type ModelSettings = { readonly provider: Provider } & Readonly<
  Record<RemoteProvider, RemoteSettings>
>

export const defaultSettings: ModelSettings = {
  provider: 'planner',
  anthropic: {
    address: 'https://api.anthropic.com',
    model: 'claude-opus-5-5',
    usesKey: false,
  },
  openai: { address: 'https://api.openai.com/v1', model: 'gpt-5.5', usesKey: false },
}

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

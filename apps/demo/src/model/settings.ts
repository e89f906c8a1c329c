import { z } from 'zod'
import { storedText, storeText } from '../stored-text.ts'
import { parseJson } from '../text/parse-json.ts'
import { readAddress } from './address.ts'
import type { Provider, RemoteProvider } from './providers.ts'

/** Which model answers, and what was entered for each provider. Nothing in it is secret. */
export type ModelSettings = Readonly<Omit<StoredSettings, 'provider'>> & {
  readonly provider: Provider
}

type StoredSettings = z.output<typeof settingsSchema>

/** How a provider is reached. It never holds a key. */
export type RemoteSettings = Readonly<ModelSettings[RemoteProvider]>

const defaults = {
  provider: 'planner',
  anthropic: {
    address: 'https://api.anthropic.com',
    model: 'claude-opus-5-5',
    usesKey: false,
  },
  openai: { address: 'https://api.openai.com/v1', model: 'gpt-5.5', usesKey: false },
} as const

const name = 'offthread-model'

const settingsSchema = z
  .object({
    // A model on this device is not chosen by storage: after a reload it would have to be loaded unasked.
    provider: z.enum(['planner', 'anthropic', 'openai', 'chrome']).catch(defaults.provider),
    anthropic: remoteSchema('anthropic'),
    openai: remoteSchema('openai'),
  })
  .catch(defaults)

function remoteSchema(provider: RemoteProvider) {
  const isAddress = (text: string) => readAddress(text, provider).problem === undefined
  return z
    .object({
      address: z.string().refine(isAddress),
      model: z.string().min(1),
      /** The user gave a key for it. The key itself is not stored, so a reload asks for it again. */
      usesKey: z.boolean().catch(false),
    })
    .catch(defaults[provider])
}

export const defaultSettings: ModelSettings = defaults

/** The last choice. Defaults replace what is missing or invalid. */
export function storedSettings(): ModelSettings {
  return settingsSchema.parse(parseJson(storedText(name) ?? ''))
}

/** Stores a choice, without any key. */
export function storeSettings(settings: ModelSettings): void {
  storeText(name, JSON.stringify(settingsSchema.parse(settings)))
}

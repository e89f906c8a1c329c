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

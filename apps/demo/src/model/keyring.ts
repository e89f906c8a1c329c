import type { RemoteProvider } from './providers.ts'

/** The entered keys. They exist in this closure only, so a reload drops them. */
export interface Keyring {
  /** Stores the key of a provider for one origin, and replaces an earlier one. */
  readonly keep: (provider: RemoteProvider, origin: string, key: string) => void
  /** The key if it was stored for this origin; otherwise empty. */
  readonly read: (provider: RemoteProvider, origin: string) => string
  /** Drops the key of a provider, unless it was stored for this origin. */
  readonly forgetUnless: (provider: RemoteProvider, origin: string | null) => void
  /** The origin that a provider's key was stored for; `null` without a key. */
  readonly originOf: (provider: RemoteProvider) => string | null
}

/** Creates an empty keyring. */
export function createKeyring(): Keyring {
  const kept = new Map<RemoteProvider, { readonly origin: string; readonly key: string }>()
  return {
    keep: (provider, origin, key) => void kept.set(provider, { origin, key }),
    read: (provider, origin) => {
      const found = kept.get(provider)
      return found?.origin === origin ? found.key : ''
    },
    forgetUnless: (provider, origin) => {
      if (kept.get(provider)?.origin !== origin) kept.delete(provider)
    },
    originOf: (provider) => kept.get(provider)?.origin ?? null,
  }
}

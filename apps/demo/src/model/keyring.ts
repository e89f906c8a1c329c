import type { RemoteProvider } from './providers.ts'

export type Keyring = ReturnType<typeof createKeyring>

/** The entered keys. They exist in this closure only, so a reload drops them. */
export function createKeyring() {
  const kept = new Map<RemoteProvider, { readonly origin: string; readonly key: string }>()
  return {
    /** Stores the key of a provider for one origin, and replaces an earlier one. */
    keep: (provider: RemoteProvider, origin: string, key: string) => {
      kept.set(provider, { origin, key })
    },
    /** The key if it was stored for this origin; otherwise empty. */
    read: (provider: RemoteProvider, origin: string) => {
      const found = kept.get(provider)
      return found?.origin === origin ? found.key : ''
    },
    /** Drops the key of a provider, unless it was stored for this origin. */
    forgetUnless: (provider: RemoteProvider, origin: string | null) => {
      if (kept.get(provider)?.origin !== origin) kept.delete(provider)
    },
    /** The origin that a provider's key was stored for; `null` without a key. */
    originOf: (provider: RemoteProvider) => kept.get(provider)?.origin ?? null,
  }
}

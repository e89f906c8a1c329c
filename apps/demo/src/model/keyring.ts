import type { RemoteProvider } from './providers.ts'

/** The keys of this visit. They live in this closure and nowhere else; a reload forgets them. */
export interface Keyring {
  /** Keeps a key for one origin, in place of the last one. */
  readonly keep: (provider: RemoteProvider, origin: string, key: string) => void
  /** The key, should it be meant for this origin; else empty. */
  readonly read: (provider: RemoteProvider, origin: string) => string
  /** Forgets the key of a provider, unless it is meant for this origin. */
  readonly forgetUnless: (provider: RemoteProvider, origin: string | null) => void
  /** The origin that a provider's key is meant for; `null` without a key. */
  readonly originOf: (provider: RemoteProvider) => string | null
}

interface Kept {
  readonly origin: string
  readonly key: string
}

/** Without keys. */
export function createKeyring(): Keyring {
  const kept = new Map<RemoteProvider, Kept>()
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

import type { Agent, Model } from '@offthread/core'
import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import { originOf } from './address.ts'
import { createModel } from './create-model.ts'
import { createKeyring } from './keyring.ts'
import type { RemoteProvider } from './providers.ts'
import { isRemote } from './providers.ts'
import type { ModelSettings } from './settings.ts'
import { defaultSettings, storedSettings, storeSettings } from './settings.ts'

/** What the page shows of the models. No key is in it. */
export interface ModelsState {
  readonly settings: ModelSettings
  /** The origin that the kept key of a provider is meant for; `null` without a key. */
  readonly keyOrigins: Readonly<Record<RemoteProvider, string | null>>
  /** The agent does not know of the last choice yet: it was made in a run, and counts from the next one. */
  readonly isWaiting: boolean
  readonly isMenuOpen: boolean
}

/** Which model answers, and the keys of this visit. */
export interface Models extends Omit<StoreApi<ModelsState>, 'setState'> {
  /**
   * Takes a choice, with a key that was just entered for it. A key that was kept stays, should the address still
   * lead to the origin it is meant for. Counts at once, in a run from the next one.
   */
  readonly choose: (settings: ModelSettings, key: string) => void
  readonly forgetKey: (provider: RemoteProvider) => void
  /** Gives the agent the last choice. Called at rest, before something is asked. */
  readonly apply: () => void
  readonly openMenu: () => void
  readonly closeMenu: () => void
}

/** The steps of one question. A language model may need to look, to mend its query and to draw. */
function mostTurns({ provider }: ModelSettings): number {
  return provider === 'planner' ? 5 : 12
}

/** Begins with what was chosen last time, and without keys. `planner` makes the model that needs none. */
export function createModels(
  agent: Pick<Agent, 'configure' | 'isRunning'>,
  planner: () => Model,
): Models {
  const keys = createKeyring()
  const keyOrigins = () => ({
    anthropic: keys.originOf('anthropic'),
    openai: keys.originOf('openai'),
  })
  const settings = storedSettings()
  const { setState, ...store } = createStore<ModelsState>(() => ({
    settings,
    keyOrigins: keyOrigins(),
    isWaiting: settings.provider !== defaultSettings.provider,
    isMenuOpen: false,
  }))

  function apply(): void {
    const { isWaiting, settings } = store.getState()
    if (!isWaiting || agent.isRunning()) return
    const model = createModel(settings, { keys, planner })
    agent.configure({ model, maxTurns: mostTurns(settings) })
    setState({ isWaiting: false })
  }

  function choose(chosen: ModelSettings, key: string): void {
    const { provider } = chosen
    let next = chosen
    if (isRemote(provider)) {
      const origin = originOf(chosen[provider].address, provider)
      keys.forgetUnless(provider, origin)
      if (key !== '' && origin !== null) keys.keep(provider, origin, key)
      const usesKey = keys.originOf(provider) !== null
      next = { ...chosen, [provider]: { ...chosen[provider], usesKey } }
    }
    storeSettings(next)
    setState({ settings: next, keyOrigins: keyOrigins(), isWaiting: true })
    apply()
  }

  apply()
  return {
    ...store,
    choose,
    forgetKey: (provider) => {
      keys.forgetUnless(provider, null)
      setState({ keyOrigins: keyOrigins() })
    },
    apply,
    openMenu: () => setState({ isMenuOpen: true }),
    closeMenu: () => setState({ isMenuOpen: false }),
  }
}

import type { Agent, Model } from '@offthread/core'
import { createStore } from 'zustand/vanilla'
import { originOf } from './address.ts'
import { createModel } from './create-model.ts'
import { createKeyring } from './keyring.ts'
import { createLocalModel, localModel } from './local/local-model.ts'
import { isRemote, type RemoteProvider } from './providers.ts'
import { defaultSettings, type ModelSettings, storedSettings, storeSettings } from './settings.ts'

/** What the page shows about the models. It holds no key. */
export interface ModelsState {
  readonly settings: ModelSettings
  /** For each provider, the origin that its key may be sent to; `null` without a key. */
  readonly keyOrigins: Readonly<Record<RemoteProvider, string | null>>
  /** The last choice was made during a run and takes effect with the next one. */
  readonly isWaiting: boolean
  readonly isMenuOpen: boolean
}

/** The most turns for one question. A language model may look at a table first, correct its query, then plot. */
function mostTurns({ provider }: ModelSettings): number {
  return provider === 'planner' ? 5 : 12
}

export type Models = ReturnType<typeof createModels>

/**
 * Which model answers, and the keys, which live until the page is closed. Starts with the stored choice and without
 * keys. `planner` makes the scripted model.
 */
export function createModels(agent: Pick<Agent, 'configure' | 'isRunning'>, planner: () => Model) {
  const keys = createKeyring()
  const local = createLocalModel()
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

  /** Configures the agent with the last choice, unless a run is active. */
  function apply(): void {
    const { isWaiting, settings } = store.getState()
    if (!isWaiting || agent.isRunning()) return
    const model = createModel(settings, { keys, planner, local: local.model })
    agent.configure({ model, maxTurns: mostTurns(settings) })
    // A loaded model that is not used would hold gigabytes of memory.
    if (settings.provider !== 'local' && local.model()) local.unload()
    setState({ isWaiting: false })
  }

  /**
   * Takes a choice, and the key that was entered with it, if any. A key entered earlier stays if the address still
   * leads to the origin it was entered for. Takes effect at once, or after the active run.
   */
  function choose(chosen: ModelSettings, key: string): void {
    const { provider } = chosen
    // Another choice ends a download that was agreed to before.
    if (provider !== 'local' && local.getState().status === 'loading') local.unload()
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
    /** The model that the page runs itself. */
    local,
    forgetKey: (provider: RemoteProvider) => {
      keys.forgetUnless(provider, null)
      setState({ keyOrigins: keyOrigins() })
    },
    apply,
    openMenu: () => setState({ isMenuOpen: true }),
    closeMenu: () => setState({ isMenuOpen: false }),
  }
}

/** The model's name, and where it runs or what it is. */
export function labelOfModel({ settings, keyOrigins }: ModelsState) {
  const { provider } = settings
  if (provider === 'planner') {
    return { name: 'Scripted planner', detail: 'rules, not a language model' }
  }
  if (provider === 'local') return { name: localModel.name, detail: 'on this device, experimental' }
  if (provider === 'chrome') return { name: 'Chrome’s built-in model', detail: 'experimental' }
  const { model, address, usesKey } = settings[provider]
  const origin = originOf(address, provider)
  const host = origin === null ? '' : new URL(origin).host
  const isMissing = usesKey && keyOrigins[provider] === null
  return { name: model, detail: isMissing ? 'key needed' : host }
}

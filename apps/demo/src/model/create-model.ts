import type { Model } from '@offthread/core'
import { anthropic } from '@offthread/core/anthropic'
import { originOf } from './address.ts'
import type { Keyring } from './keyring.ts'
import { lazyModel } from './lazy-model.ts'
import type { RemoteProvider } from './providers.ts'
import type { ModelSettings } from './settings.ts'

interface ModelSources {
  readonly keys: Pick<Keyring, 'read'>
  readonly planner: () => Model
  /** The model that the page runs itself, if it is loaded. */
  readonly local: () => Model | undefined
}

/** Creates the chosen model. It reads its key before each request, so a cleared key is never sent. */
export function createModel(
  settings: ModelSettings,
  { keys, planner, local }: ModelSources,
): Model {
  switch (settings.provider) {
    case 'planner':
      return planner()
    case 'anthropic':
      return anthropic(connectionOf(settings, 'anthropic', keys))
    case 'openai':
      return openaiModel(connectionOf(settings, 'openai', keys))
    case 'chrome':
      return builtInModel()
    case 'local':
      return local() ?? planner()
  }
}

type ModelConnection = ReturnType<typeof connectionOf>

function connectionOf(
  settings: ModelSettings,
  provider: RemoteProvider,
  keys: Pick<Keyring, 'read'>,
) {
  const { address, model, usesKey } = settings[provider]
  const origin = originOf(address, provider) ?? ''
  return { model, baseURL: address, apiKey: usesKey ? () => keys.read(provider, origin) : null }
}

function openaiModel(connection: ModelConnection): Model {
  return lazyModel(
    { provider: 'openai', id: connection.model },
    () => import('@offthread/core/openai'),
    ({ openai }) =>
      openai({ ...connection, ...(mayNotThink(connection) && { reasoningEffort: 'none' }) }),
  )
}

/** Whether reasoning must be off: OpenAI's own server refuses it together with tools for these models. */
function mayNotThink({ baseURL, model }: ModelConnection): boolean {
  return baseURL.startsWith('https://api.openai.com/') && /^gpt-5\.[4-9]/.test(model)
}

function builtInModel(): Model {
  return lazyModel(
    { provider: 'chrome', id: 'built-in' },
    () => import('@offthread/chrome'),
    ({ chromeModel }) => chromeModel(),
  )
}

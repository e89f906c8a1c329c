import { originOf } from './address.ts'
import type { ModelsState } from './models.ts'

/** The model's name, and where it runs or what it is. */
export interface ModelLabel {
  readonly name: string
  readonly detail: string
}

export function labelOfModel({ settings, keyOrigins }: ModelsState): ModelLabel {
  const { provider } = settings
  if (provider === 'planner') {
    return { name: 'Scripted planner', detail: 'rules, not a language model' }
  }
  if (provider === 'chrome') return { name: 'Chrome’s built-in model', detail: 'experimental' }
  const { model, address, usesKey } = settings[provider]
  const origin = originOf(address, provider)
  const isMissing = usesKey && keyOrigins[provider] === null
  return { name: model, detail: isMissing ? 'key needed' : hostOf(origin) }
}

function hostOf(origin: string | null): string {
  return origin === null ? '' : new URL(origin).host
}

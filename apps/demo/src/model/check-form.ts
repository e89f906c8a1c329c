import { readAddress } from './address.ts'
import { isRemote, needsKey } from './providers.ts'
import type { ModelSettings } from './settings.ts'

/** What has to be changed before a choice can be taken. */
export interface FormProblem {
  readonly field: 'address' | 'model' | 'key'
  readonly text: string
}

/** The first thing that is wrong with a choice, or nothing. */
export function checkForm(settings: ModelSettings, hasKey: boolean): FormProblem | undefined {
  const { provider } = settings
  if (!isRemote(provider)) return undefined
  const { address, model } = settings[provider]
  const read = readAddress(address, provider)
  if (read.problem !== undefined) return { field: 'address', text: read.problem }
  if (model.trim() === '') {
    return { field: 'model', text: 'Enter the model, by the name that the server knows it by.' }
  }
  // This field is remembered, and a key must not be.
  if (looksLikeKey.test(model)) {
    return { field: 'model', text: 'This looks like a key. It belongs into its own field.' }
  }
  if (!hasKey && needsKey(read.origin)) {
    const { host } = new URL(read.origin)
    return {
      field: 'key',
      text: `${host} answers nobody without a key. Enter your key, or give the address of a proxy of your own.`,
    }
  }
  return undefined
}

const looksLikeKey = /^(sk-|gsk_|xai-|AIza)/

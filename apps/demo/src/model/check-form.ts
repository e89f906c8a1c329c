import { readAddress } from './address.ts'
import { isRemote, needsKey } from './providers.ts'
import type { ModelSettings } from './settings.ts'
import type { KeyField } from './use-key-field.ts'

/** What must be corrected before the form is accepted. */
export interface FormProblem {
  readonly field: 'address' | 'model' | 'key'
  readonly text: string
}

/** The most that a key may have. A token of a gateway is longer than what one types. */
const mostOfKey = 10_000
/** The field takes more, with blanks around it: a key that it cut would be another key. */
export const mostOfKeyField: number = 2 * mostOfKey

/** The first problem of a choice; `undefined` if it is valid. */
export function checkForm(
  settings: ModelSettings,
  key: Pick<KeyField, 'hasKey' | 'typed'>,
): FormProblem | undefined {
  const { provider } = settings
  if (!isRemote(provider)) return undefined
  const { address, model } = settings[provider]
  const read = readAddress(address, provider)
  if (read.problem !== undefined) return { field: 'address', text: read.problem }
  if (model.trim() === '') {
    return { field: 'model', text: 'Enter the name that the model has at the server.' }
  }
  // This field is stored, and a key must not be.
  if (looksLikeKey.test(model)) {
    return { field: 'model', text: 'This looks like a key. Enter it in its own field.' }
  }
  if (key.typed().length > mostOfKey) {
    return { field: 'key', text: 'This is too long: a key has at most 10,000 characters.' }
  }
  if (!key.hasKey() && needsKey(read.origin)) {
    const { host } = new URL(read.origin)
    return {
      field: 'key',
      text: `${host} needs a key. Enter yours, or the address of your own proxy.`,
    }
  }
  return undefined
}

const looksLikeKey = /^(sk-|gsk_|xai-|AIza)/

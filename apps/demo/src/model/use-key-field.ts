import { useRef, useState } from 'react'
import { useModels, useSession } from '../session.ts'
import { originOf } from './address.ts'
import type { RemoteProvider } from './providers.ts'

export type KeyField = ReturnType<typeof useKeyField>

/** The field of a key. The typed key stays in the field until the form is submitted. */
export function useKeyField(provider: RemoteProvider) {
  const { models } = useSession()
  const kept = useModels().keyOrigins[provider]
  const [notice, setNotice] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const typedFor = useRef<string | null>(null)

  const typed = (): string => field.current?.value.trim() ?? ''

  function forget(why: string): void {
    if (field.current) field.current.value = ''
    typedFor.current = null
    models.forgetKey(provider)
    setNotice(why)
  }

  return {
    field,
    /** Why the key was removed; empty if it was not. */
    notice,
    typed,
    /** Whether a key is typed or was kept. */
    hasKey: () => typed() !== '' || kept !== null,
    /** Stores the origin of the address for which the key is typed. */
    noteTyping: (address: string) => {
      if (typed() === '') typedFor.current = null
      else typedFor.current ??= originOf(address, provider)
    },
    /** Whether the key may be sent to this address. Removes a key that was entered for another origin. */
    fits: (address: string) => {
      const origin = originOf(address, provider)
      if (typed() !== '') typedFor.current ??= origin
      const meantFor = typed() === '' ? kept : typedFor.current
      if (origin === null || meantFor === null || meantFor === origin) return true
      forget(
        `The address now leads to ${origin}. The key was for ${meantFor}, so it is removed. Enter the key of the new server, if it needs one.`,
      )
      return false
    },
    clear: () => forget('The key is cleared.'),
  }
}

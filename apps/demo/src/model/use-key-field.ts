import type { RefObject } from 'react'
import { useRef, useState } from 'react'
import { useSession } from '../session.ts'
import { originOf } from './address.ts'
import type { RemoteProvider } from './providers.ts'
import { useModels } from './use-models.ts'

/** The field of a key. What is typed in it is nowhere else, until the choice is taken. */
export interface KeyField {
  readonly field: RefObject<HTMLInputElement | null>
  /** What happened to the key, to be told. */
  readonly notice: string
  readonly typed: () => string
  /** A key is typed, or kept from before. */
  readonly hasKey: () => boolean
  /** Remembers where the address led when the key was typed. */
  readonly noteTyping: (address: string) => void
  /** Says whether the key may go where the address leads. One that was meant for somewhere else is removed. */
  readonly fits: (address: string) => boolean
  readonly clear: () => void
}

export function useKeyField(provider: RemoteProvider): KeyField {
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
    notice,
    typed,
    hasKey: () => typed() !== '' || kept !== null,
    noteTyping: (address) => {
      if (typed() === '') typedFor.current = null
      else typedFor.current ??= originOf(address, provider)
    },
    fits: (address) => {
      const origin = originOf(address, provider)
      if (typed() !== '') typedFor.current ??= origin
      const meantFor = typed() === '' ? kept : typedFor.current
      if (origin === null || meantFor === null || meantFor === origin) return true
      forget(
        `The address now leads to ${origin}. The key was for ${meantFor}, so it is removed. Enter the key of the new server, if it wants one.`,
      )
      return false
    },
    clear: () => forget('The key is cleared.'),
  }
}

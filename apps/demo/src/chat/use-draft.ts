import type { RefObject } from 'react'
import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { PendingFile } from '../files/attachments.ts'
import { useSession } from '../session.ts'
import { useAsk } from './use-ask.ts'

/** A message that is being written. */
interface Draft {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly files: readonly PendingFile[]
  readonly type: (text: string) => void
  /** Sends it, unless it is empty or a run is active. The focus stays where one writes. */
  readonly submit: () => Promise<void>
  /** Why it could not be sent. */
  readonly problem: string | null
}

export function useDraft(): Draft {
  const { attachments } = useSession()
  const { ask, problem } = useAsk()
  const files = useStore(attachments)
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const type = (next: string): void => {
    setText(next)
    if (field.current) fitHeight(field.current, next)
  }
  return {
    field,
    text,
    files,
    type,
    problem,
    submit: async () => {
      if (!(await ask(text, files))) return
      type('')
      attachments.clear()
      field.current?.focus()
    },
  }
}

/** Fits the height of a text field to its text, in browsers without `field-sizing`. */
function fitHeight(field: HTMLTextAreaElement, text: string): void {
  if (globalThis.CSS?.supports?.('field-sizing', 'content')) return
  field.style.blockSize = 'auto'
  if (text !== '') field.style.blockSize = `${field.scrollHeight}px`
}

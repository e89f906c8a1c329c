import type { RefObject } from 'react'
import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { PendingFile } from '../files/attachments.ts'
import { useSession } from '../session.ts'

/** A message that is being written. */
interface Draft {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly files: readonly PendingFile[]
  readonly type: (text: string) => void
  /** Sends it, unless it is empty or a run is active. The focus stays where one writes. */
  readonly submit: () => void
}

export function useDraft(): Draft {
  const { attachments, send } = useSession()
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
    submit: () => {
      if (!send(text, files)) return
      type('')
      attachments.clear()
      field.current?.focus()
    },
  }
}

/** Makes a text field as high as its text, in browsers whose styles cannot. */
function fitHeight(field: HTMLTextAreaElement, text: string): void {
  if (globalThis.CSS?.supports?.('field-sizing', 'content')) return
  field.style.blockSize = 'auto'
  if (text !== '') field.style.blockSize = `${field.scrollHeight}px`
}

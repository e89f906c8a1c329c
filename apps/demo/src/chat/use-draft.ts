import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../session.ts'
import { useAsk } from './use-ask.tsx'

/** A message that is being written. */
export function useDraft() {
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
    /** Sends it, unless it is empty or a run is active. The focus stays where one writes. */
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

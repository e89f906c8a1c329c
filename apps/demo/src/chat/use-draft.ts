import type { RefObject } from 'react'
import { useRef, useState, useSyncExternalStore } from 'react'
import type { PendingFile } from '../files/attachments.ts'
import { useSession } from '../session.ts'
import { fitHeight } from './fit-height.ts'

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
  const files = useSyncExternalStore(attachments.subscribe, attachments.getState)
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

import type { ToolCallStatus } from '@offthread/core'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { statusLooks } from './status.ts'

/** A status as a picture and a word. */
export function StatusMark({ status }: { readonly status: ToolCallStatus }): ReactNode {
  const { word, icon, tone } = statusLooks[status]
  return (
    <span className="status-mark" data-tone={tone}>
      <Icon name={icon} />
      <span className="status-word">{word}</span>
    </span>
  )
}

import type { ToolCallStatus } from '@offthread/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'

export function StatusMark({ status }: { readonly status: ToolCallStatus }): ReactNode {
  const { word, icon, tone } = statusLooks[status]
  return (
    <span className="row quiet status-mark" data-tone={tone}>
      <Icon name={icon} />
      <span className="status-word">{word}</span>
    </span>
  )
}

/** The look of each status. The word is always shown, because colour alone is not accessible. */
const statusLooks = {
  input_streaming: { word: 'Writing', icon: 'pen', tone: 'quiet' },
  awaiting_approval: { word: 'Waiting', icon: 'hand', tone: 'warn' },
  queued: { word: 'Queued', icon: 'clock', tone: 'quiet' },
  starting: { word: 'Starting', icon: 'arc', tone: 'busy' },
  running: { word: 'Running', icon: 'arc', tone: 'busy' },
  cancelling: { word: 'Cancelling', icon: 'arc', tone: 'warn' },
  succeeded: { word: 'Done', icon: 'check', tone: 'good' },
  failed: { word: 'Failed', icon: 'alert', tone: 'bad' },
  denied: { word: 'Denied', icon: 'slash', tone: 'warn' },
  skipped: { word: 'Skipped', icon: 'skip', tone: 'quiet' },
  cancelled: { word: 'Cancelled', icon: 'slash', tone: 'warn' },
  timed_out: { word: 'Timed out', icon: 'clock', tone: 'bad' },
  interrupted: { word: 'Interrupted', icon: 'broken', tone: 'warn' },
} as const satisfies Record<ToolCallStatus, { word: string; icon: IconName; tone: string }>

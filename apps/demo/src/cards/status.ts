import type { ToolCallStatus } from '@offthread/core'
import type { IconName } from '../ui/icon.tsx'

type Tone = 'quiet' | 'busy' | 'good' | 'bad' | 'warn'

interface StatusLook {
  readonly word: string
  readonly icon: IconName
  readonly tone: Tone
}

/** How a status is shown: always with a word, never by colour alone. */
export const statusLooks: Readonly<Record<ToolCallStatus, StatusLook>> = {
  input_streaming: { word: 'Writing', icon: 'pen', tone: 'quiet' },
  awaiting_approval: { word: 'Waiting', icon: 'hand', tone: 'warn' },
  queued: { word: 'Queued', icon: 'clock', tone: 'quiet' },
  starting: { word: 'Starting', icon: 'arc', tone: 'busy' },
  running: { word: 'Running', icon: 'arc', tone: 'busy' },
  cancelling: { word: 'Cancelling', icon: 'arc', tone: 'warn' },
  succeeded: { word: 'Done', icon: 'check', tone: 'good' },
  failed: { word: 'Failed', icon: 'alert', tone: 'bad' },
  denied: { word: 'Denied', icon: 'slash', tone: 'bad' },
  skipped: { word: 'Skipped', icon: 'skip', tone: 'quiet' },
  cancelled: { word: 'Cancelled', icon: 'slash', tone: 'warn' },
  timed_out: { word: 'Timed out', icon: 'clock', tone: 'bad' },
  interrupted: { word: 'Interrupted', icon: 'broken', tone: 'warn' },
}

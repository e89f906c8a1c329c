import type { Clock } from '../../internal/clock.ts'
import type { CallMessage } from '../protocol.ts'

/** Code that tells so much without waiting to be heard is out of control. */
const maxUnheard = 1000

/** Milliseconds between two words that messages were heard. */
const hearEveryMs = 16

export interface WatchdogOptions {
  /** Milliseconds a running worker may give no sign of life; `null`: for ever. */
  readonly maxSilenceMs: number | null
  readonly clock: Clock
  /** So many messages were heard since the last time. */
  readonly acknowledge: (messages: number) => void
  /** The worker is silent for too long, or tells too much. */
  readonly failed: (message: string) => void
}

/** Watches what a worker says during its call, and tells it what was heard. */
export interface Watchdog {
  /** The call begins. */
  readonly begin: () => void
  readonly note: (message: CallMessage) => void
  readonly clear: () => void
}

export function startWatchdog(options: WatchdogOptions): Watchdog {
  const { maxSilenceMs, clock, acknowledge, failed } = options
  let unheard = 0
  let cancelHearing: (() => void) | undefined
  let cancelSilence: (() => void) | undefined

  const waitForLife = () => {
    cancelSilence?.()
    if (maxSilenceMs === null) return
    cancelSilence = clock.setTimer(maxSilenceMs, () => failed(silenceText(maxSilenceMs)))
  }
  const hear = () => {
    cancelHearing = undefined
    acknowledge(unheard)
    unheard = 0
  }
  return {
    begin: waitForLife,
    note: (message) => {
      waitForLife()
      if (!needsCredit(message)) return
      unheard += 1
      if (unheard > maxUnheard) failed(floodText)
      else cancelHearing ??= clock.setTimer(hearEveryMs, hear)
    },
    clear: () => {
      cancelHearing?.()
      cancelSilence?.()
    },
  }
}

function silenceText(ms: number): string {
  return `The worker gave no sign of life for ${ms / 1000} s. Its code blocks its thread (then let it await context.yield() now and then, or raise maxSilenceMs), or its process is gone.`
}

const floodText: string = `The worker posted more than ${maxUnheard} messages without waiting to be heard.`

/** What a tool wants stored has to come through, however much it is. */
function needsCredit(message: CallMessage): boolean {
  switch (message.type) {
    case 'update':
    case 'progress':
    case 'log':
      return true
    case 'custom':
      return !message.durable
    default:
      return false
  }
}

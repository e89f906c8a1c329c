import type { Clock } from '../../internal/clock.ts'
import { setWakingTimer } from '../../internal/waking-timer.ts'
import { type CallMessage, maxStoredEvents } from '../protocol.ts'
import { isHidden, soon } from './soon.ts'

/** Acknowledge received messages at most this often, in milliseconds. */
const acknowledgeEveryMs = 16
/** A hidden page draws no frames for which a worker would have to wait: it may be this far ahead, in milliseconds. */
const hiddenAheadMs = 100

export interface WatchdogOptions {
  /** Milliseconds a running worker may give no sign of life; `null`: for ever. */
  readonly maxSilenceMs: number | null
  readonly clock: Clock
  /** Milliseconds to wait before the acknowledgement, because the worker has posted too much. */
  readonly aheadMs: () => number
  /** Called with the number of messages received since the last time. */
  readonly acknowledge: (messages: number) => void
  /** Called when the worker was silent for too long. */
  readonly failed: (message: string) => void
}

/** Watches the messages of a worker during its call, and acknowledges them. */
export interface Watchdog {
  /** Called when the call was posted: from now on the worker may not be silent for too long. */
  readonly start: () => void
  readonly note: (message: CallMessage) => void
  readonly clear: () => void
}

export function createWatchdog(options: WatchdogOptions): Watchdog {
  const { maxSilenceMs, clock, aheadMs, acknowledge, failed } = options
  let unacknowledged = 0
  let stored = 0
  let cancelAcknowledging: (() => void) | undefined
  let cancelSilence: (() => void) | undefined

  const waitForLife = () => {
    cancelSilence?.()
    if (maxSilenceMs === null) return
    const fail = () => failed(silenceText(maxSilenceMs))
    cancelSilence = setWakingTimer(clock, maxSilenceMs, fail)
  }
  const acknowledgeNow = () => {
    cancelAcknowledging = undefined
    acknowledge(unacknowledged)
    unacknowledged = 0
  }
  const acknowledgeLater = () => {
    const wait = Math.max(aheadMs(), acknowledgeEveryMs)
    if (isHidden() && wait < hiddenAheadMs) {
      cancelAcknowledging = soon(clock, acknowledgeNow)
      return
    }
    cancelAcknowledging = clock.setTimer(wait, () => {
      if (aheadMs() > acknowledgeEveryMs) acknowledgeLater()
      else acknowledgeNow()
    })
  }
  return {
    start: waitForLife,
    note: (message) => {
      waitForLife()
      if (!needsCredit(message)) return
      unacknowledged += 1
      if (message.type === 'custom' && message.durable) stored += 1
      if (stored > maxStoredEvents) failed(storedText)
      else if (!cancelAcknowledging) acknowledgeLater()
    },
    clear: () => {
      cancelAcknowledging?.()
      cancelSilence?.()
    },
  }
}

function silenceText(ms: number): string {
  return `The worker gave no sign of life for ${ms / 1000} s. Its code blocks its thread (then let it await context.yield() now and then, or raise maxSilenceMs), or its process is gone.`
}

const storedText: string = `The worker posted more than ${maxStoredEvents} events to be stored.`

function needsCredit(message: CallMessage): boolean {
  switch (message.type) {
    case 'update':
    case 'progress':
    case 'log':
    case 'custom':
      return true
    default:
      return false
  }
}

import type { Clock } from '../internal/clock.ts'
import { reportLater } from '../internal/report-later.ts'
import type { QueuedInput } from '../kernel/events.ts'
import { callHook } from '../runtime/hooks.ts'
import type { PollSteering } from '../runtime/poll-steering.ts'

/** Steering that is asked for, and kept for whoever runs the loop. */
export interface OwnSteering {
  /** Never rejects: what the user's function throws is reported, and nothing was said. */
  readonly poll: PollSteering
  /** Asks once more, then gives everything that was said; `null` for nothing. An abort ends the asking. */
  readonly finish: (patience: FinishPatience) => Promise<readonly QueuedInput[] | null>
}

interface FinishPatience {
  readonly timeoutMs: number
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

export function collectSteering(ask: PollSteering): OwnSteering {
  const said: QueuedInput[] = []

  async function poll(): Promise<readonly QueuedInput[]> {
    const more = await askSafely(ask)
    said.push(...more)
    return more
  }

  return {
    poll,
    finish: async ({ timeoutMs, clock, signal = new AbortController().signal }) => {
      try {
        await callHook(poll, { timeoutMs, clock, signal })
      } catch (error) {
        if (!signal.aborted) reportLater(error)
      }
      return said.length > 0 ? said : null
    },
  }
}

async function askSafely(ask: PollSteering): Promise<readonly QueuedInput[]> {
  try {
    const said: unknown = await ask()
    if (isInputs(said)) return said
    throw new TypeError('getSteeringMessages must give a list of messages, each a list of parts.')
  } catch (error) {
    reportLater(error)
    return []
  }
}

function isInputs(said: unknown): said is readonly QueuedInput[] {
  return Array.isArray(said) && said.every(Array.isArray)
}

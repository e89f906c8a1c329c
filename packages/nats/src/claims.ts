import type { Clock } from '@offthread/core/host'
import type { Claim, SessionStorage } from '@offthread/core/storage'
import { createDeferred } from './deferred.ts'
import { type ClaimPorts, makeClaim } from './make-claim.ts'
import { createPresence } from './presence.ts'
import { createTenure, type Tenure } from './tenure.ts'

export interface ClaimOptions extends ClaimPorts {
  readonly clock: Clock
}

export interface Claims extends Pick<SessionStorage, 'claim'> {
  /** Whether the holder of a claim answers. */
  readonly isThere: (holder: string) => Promise<boolean>
}

/** Milliseconds between two looks at a claim that is waited for. */
const pauseMs = 2000

/**
 * Who owns which session. The record of the session names the holder of the claim, who answers while it lives. The claim
 * counts from its message in the log on: after that, every append of the owner before expects another last message, and
 * the server refuses it.
 */
export function createClaims(options: ClaimOptions): Claims {
  const presence = createPresence(options)
  /** By session: resolves when all claims that waited before have ended. */
  const queues = new Map<string, Promise<unknown>>()

  /** Makes the claim as soon as it is free, after those that asked for it before. */
  async function wait(sessionId: string, tenure: Tenure, ending: AbortSignal): Promise<Claim> {
    const before = queues.get(sessionId) ?? Promise.resolve()
    const turn = createDeferred<void>()
    const both = before.then(() => turn.promise)
    queues.set(sessionId, both)
    try {
      await Promise.race([before, whenAborted(ending)])
      for (;;) {
        ending.throwIfAborted()
        const free = untilWorthATry(options, sessionId, ending)
        const claim = await makeClaim(options, presence, { sessionId, tenure, mode: 'wait' })
        if (claim && !ending.aborted) return claim
        if (claim) claim.release()
        else await free
      }
    } finally {
      turn.resolve()
      if (queues.get(sessionId) === both) queues.delete(sessionId)
    }
  }

  return {
    isThere: presence.isThere,
    claim: async (sessionId, mode, signal) => {
      const tenure = createTenure(options, sessionId)
      const ending = signal ? AbortSignal.any([signal, tenure.lost]) : tenure.lost
      try {
        const claim =
          mode === 'wait'
            ? await wait(sessionId, tenure, ending)
            : await makeClaim(options, presence, { sessionId, tenure, mode })
        if (!claim) tenure.release()
        return claim
      } catch (error) {
        tenure.release()
        throw error
      }
    },
  }
}

/** Resolves when the claim may be free, and when it is not wanted any more. */
async function untilWorthATry(
  { lines, clock }: Pick<ClaimOptions, 'lines' | 'clock'>,
  sessionId: string,
  ending: AbortSignal,
): Promise<void> {
  const woken = createDeferred<void>()
  const wake = () => woken.resolve()
  const clear = clock.setTimer(pauseMs, wake)
  const stop = lines.listen(sessionId, ({ kind }) => kind === 'released' && wake())
  ending.addEventListener('abort', wake)
  await woken.promise
  ending.removeEventListener('abort', wake)
  clear()
  stop()
}

/** Rejects with the reason of the signal. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

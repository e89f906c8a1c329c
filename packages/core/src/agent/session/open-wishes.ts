import type { Clock } from '../../internal/clock.ts'
import { createDeferred } from '../../internal/deferred.ts'
import { errorOf, refusalOf } from './refusal.ts'
import type { Wish } from './wish.ts'

/** The wishes of an agent that were not answered. */
export interface OpenWishes {
  /** Posts a wish, or does it here. Resolves with the run that it started, if any; rejects as the command does. */
  readonly add: (id: string, wish: Wish) => Promise<string | undefined>
  /** Called when the owner has done a wish. */
  readonly granted: (id: string, runId: string | undefined) => void
  readonly refused: (id: string, error: Error) => void
  /** Posts all wishes again, because there may be another owner. */
  readonly postAll: () => void
  /** The agent has become the owner: from now on wishes are done here. */
  readonly performAll: (perform: Perform) => void
  /** Rejects all open wishes, because no owner will answer them. */
  readonly rejectAll: (error: Error) => void
  /** Rejects all wishes, those to come included. */
  readonly fail: (error: Error) => void
  /** The agent ends: nothing is posted any more. */
  readonly close: () => void
}

/** Does a wish. Never settles if the agent is no longer the owner when it is done. */
type Perform = (id: string, wish: Wish) => Promise<string | undefined>

/** Milliseconds after which a wish that was not answered is posted again: a message may be lost. */
const repeatMs = 2000

export function createOpenWishes(post: (id: string, wish: Wish) => void, clock: Clock): OpenWishes {
  const open = new Map<string, { readonly wish: Wish; readonly answer: Answer }>()
  let performHere: Perform | null = null
  let ended: Error | 'closed' | null = null
  const { start: repeatLater, stop: stopRepeating } = createRepeater(clock, postAll)

  function postAll(): void {
    for (const [id, { wish }] of open) post(id, wish)
    if (!ended && !performHere && open.size > 0) repeatLater()
  }

  function perform(how: Perform, id: string, wish: Wish): void {
    how(id, wish).then(
      (runId) => settle(id)?.resolve(runId),
      (error: unknown) => settle(id)?.reject(errorOf(refusalOf(error))),
    )
  }

  function settle(id: string): Answer | undefined {
    const answer = open.get(id)?.answer
    open.delete(id)
    if (open.size === 0) stopRepeating()
    return answer
  }

  function rejectAll(error: Error): void {
    for (const id of open.keys()) settle(id)?.reject(error)
  }

  return {
    add: (id, wish) => {
      if (ended instanceof Error) return Promise.reject(ended)
      const answer: Answer = createDeferred()
      open.set(id, { wish, answer })
      if (performHere) perform(performHere, id, wish)
      else post(id, wish)
      if (!performHere && !ended) repeatLater()
      return answer.promise
    },
    granted: (id, runId) => settle(id)?.resolve(runId),
    refused: (id, error) => settle(id)?.reject(error),
    postAll: () => {
      performHere = null
      postAll()
    },
    performAll: (how) => {
      performHere = how
      stopRepeating()
      for (const [id, { wish }] of open) perform(how, id, wish)
    },
    rejectAll,
    fail: (error) => {
      ended = error
      rejectAll(error)
    },
    close: () => {
      ended ??= 'closed'
      stopRepeating()
    },
  }
}

type Answer = ReturnType<typeof createDeferred<string | undefined>>

/** Calls back after a while, unless it is stopped before. */
function createRepeater(clock: Clock, callback: () => void) {
  let cancel: (() => void) | null = null
  return {
    start: (): void => {
      cancel ??= clock.setTimer(repeatMs, () => {
        cancel = null
        callback()
      })
    },
    stop: (): void => {
      cancel?.()
      cancel = null
    },
  }
}

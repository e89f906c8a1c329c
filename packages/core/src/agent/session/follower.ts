import { type Claim, isKind } from '../../storage/port.ts'
import { leaveUnharmed } from './in-time.ts'
import { createLiveOrder } from './live-order.ts'
import { watchPageLife } from './page-life.ts'
import type { Role, RoleOptions } from './role.ts'

interface FollowerFates {
  /** Milliseconds before the follower waits for its turn to own the session. */
  readonly claimAfterMs: number
  /** The session has no owner any more, and is the agent's now. */
  readonly onGranted: (claim: Claim) => void
  /** The page was away, and may have missed anything. */
  readonly onReturn: () => void
  /** Called when nothing more can be read. */
  readonly onFailure: (thrown: unknown) => void
}

/** Shows what the owner of the session writes, and sends it the commands that change the session. */
export function createFollower(
  { storage, sessionId, clock, ports, standing, wishes, say }: RoleOptions,
  { claimAfterMs, onGranted, onReturn, onFailure }: FollowerFates,
): Role {
  const { state, replay } = ports
  const { addStored, addLive, catchUp } = createLiveOrder({ state, replay, onGap: hello })
  // The number of the last notice about space. Owners of an older version do not number theirs.
  let last = 0

  function showSpace(isFull: boolean, change = last): void {
    if (change < last) return
    last = change
    standing.take('follower', isFull ? 'full' : null)
  }

  function hello(): void {
    say({ say: 'hello' })
  }

  function greet(): void {
    hello()
    wishes.postAll()
  }

  showSpace(false)
  const stop = storage.follow(sessionId, state().nextSeq, (events) => {
    addStored(events)
    if (!events.some(({ type }) => type === 'session_opened')) return
    // A new owner has opened the session, and the log holds what the owners before it did.
    showSpace(false)
    greet()
  })
  const stopWaiting = waitForClaim((signal) => storage.claim(sessionId, 'wait', signal), {
    clock,
    claimAfterMs,
    onGranted,
    onFailure: (error) => {
      // Only where the storage cannot be used any more: any other failure may pass.
      if (isKind(error, 'cleared') || isKind(error, 'newer')) onFailure(error)
    },
  })
  const stopWatchingPage = watchPageLife({
    // Else it could be granted the session while it runs nothing.
    onHide: (isKept) => isKept && stopWaiting(),
    onReturn,
  })

  return {
    held: null,
    remote: wishes,
    enter: greet,
    receive: (said) => {
      if (said.say === 'live') addLive(said)
      else if (said.say === 'space') showSpace(said.isFull, said.change)
      else if (said.say === 'catch_up') catchUp(said)
      else if (said.say === 'granted' || said.say === 'refused') wishes.answered(said)
    },
    leave: async () => {
      stop()
      stopWatchingPage()
      stopWaiting()
    },
  }
}

/** Milliseconds after which a claim that failed is made again. */
const repeatMs = 2000

/**
 * Waits for a claim, and again after each failure, because this may be the only page that is left. Returns a function
 * that ends this.
 */
function waitForClaim(
  claim: (signal: AbortSignal) => Promise<Claim | null>,
  {
    clock,
    claimAfterMs,
    onGranted,
    onFailure,
  }: Pick<RoleOptions, 'clock'> & Omit<FollowerFates, 'onReturn'>,
): () => void {
  const ending = new AbortController()
  let cancelTimer = () => {}

  function wait(): void {
    claim(ending.signal).then(
      (given) => {
        if (given && ending.signal.aborted) leaveUnharmed(given, clock)
        else if (given) onGranted(given)
      },
      (error: unknown) => {
        if (ending.signal.aborted) return
        onFailure(error)
        if (!ending.signal.aborted) cancelTimer = clock.setTimer(repeatMs, wait)
      },
    )
  }

  if (claimAfterMs > 0) cancelTimer = clock.setTimer(claimAfterMs, wait)
  else wait()
  return () => {
    ending.abort()
    cancelTimer()
  }
}

import { createJournal, type Journal } from '../../runtime/journal.ts'
import { type Claim, StorageError } from '../../storage/port.ts'
import { createCheckpoints } from './checkpoints.ts'
import { patienceMs } from './follower.ts'
import { keepListEntry } from './list-entry.ts'
import { createGrant, perform } from './perform.ts'
import type { Role, RoleOptions } from './role.ts'
import { createLiveShare } from './share-live.ts'

interface Fates {
  /** Another agent owns the session now. */
  readonly onTaken: () => void
  /** Nothing can be stored any more. */
  readonly onFailure: (thrown: unknown) => void
}

/** The one agent that writes the session: it does what the others ask for, and tells them what is not stored. */
export function createOwner(options: RoleOptions, claim: Claim, fates: Fates): Role {
  const { storage, sessionId, clock, ports, wishes, say } = options
  const { epoch, lost, confirm, release } = claim
  const journal = createJournal({
    ...{ storage, sessionId, position: { head: ports.state().nextSeq, epoch } },
    onFailure: (thrown) => (isTaken(thrown) ? stop() : fail(thrown)),
  })
  const grant = createGrant(options)
  let isStopped = false
  let cancelTimer = () => {}

  function end(): void {
    isStopped = true
    for (const part of [checkpoints, live, entry]) part.stop()
  }

  function stop(): void {
    if (isStopped) return
    end()
    ports.disown()
    fates.onTaken()
  }

  function fail(thrown: unknown): void {
    end()
    fates.onFailure(thrown)
    // A follower may be able to go on.
    release()
  }

  lost.addEventListener('abort', stop)
  const live = createLiveShare(ports, say, clock)
  const checkpoints = createCheckpoints(ports, clock)
  const stopRescue = onPageHide(checkpoints.write, journal.rescue)
  ports.show('owner')
  ports.own(journal)
  const entry = keepListEntry(options, journal.stored)
  confirmOnceStored(journal, confirm)

  return {
    remote: null,
    enter: () => {
      if (lost.aborted) return stop()
      say({ say: 'owner' })
      // What no owner has answered, this one does.
      wishes.performAll((wish) => perform(ports, wish))
    },
    hear: (said) => {
      if (isStopped) return
      if (said.say === 'hello') {
        // The text so far comes by the storage.
        checkpoints.write()
        live.start()
      } else if (said.say === 'wish') {
        grant(said)
      } else if (said.say === 'release') {
        cancelTimer()
        cancelTimer = giveWay(options, journal, stop)
      }
    },
    leave: () => {
      end()
      cancelTimer()
      stopRescue()
      return journal.drained().then(release).then(entry.close)
    },
  }
}

/** Only a page that lives on comes to this. */
function confirmOnceStored(journal: Journal, confirm: Claim['confirm']): void {
  const confirmed = journal.stored().then(confirm)
  confirmed.catch(() => {})
}

/** Lets another agent take the session. One that is not taken goes to the next that waits, which may be this one. */
function giveWay(
  { ports, clock, say }: RoleOptions,
  journal: Journal,
  stop: () => void,
): () => void {
  ports.disown()
  void journal.drained().then(() => say({ say: 'released' }))
  return clock.setTimer(patienceMs, stop)
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof StorageError && thrown.kind === 'not_owner'
}

/** Also where there is no page. */
function onPageHide(...steps: readonly (() => void)[]): () => void {
  if (typeof addEventListener === 'undefined') return () => {}
  const rescue = () => {
    for (const step of steps) step()
  }
  addEventListener('pagehide', rescue)
  return () => removeEventListener('pagehide', rescue)
}

import { defined } from '../../internal/defined.ts'
import { createJournal, type Journal, type JournalOptions } from '../../runtime/journal.ts'
import { type Claim, isKind, StorageError } from '../../storage/port.ts'
import { abandon } from './abandon.ts'
import { createCheckpoints } from './checkpoints.ts'
import { answeredInTime } from './in-time.ts'
import { keepListEntry } from './list-entry.ts'
import type { LoadedSession } from './load-session.ts'
import { type PageLife, watchPageLife } from './page-life.ts'
import { createGrants } from './perform.ts'
import { createProblemNotice } from './problem-notice.ts'
import { resumeLater } from './resume-later.ts'
import type { Role, RoleOptions } from './role.ts'
import { createLiveShare } from './share-live.ts'
import { keepSnapshots } from './snapshots.ts'
import { isStrict } from './strict-events.ts'
import { handOverMs } from './take-over.ts'
import type { Said } from './wish.ts'

interface OwnerOptions extends RoleOptions {
  /** The session as it was when the agent opened it. */
  readonly opened: LoadedSession
}

export interface Fates {
  /** Called when what the agent wrote at the opening of the session is stored. */
  readonly onOpened: () => void
  /**
   * Called when another agent owns the session. `divergence`: the storage holds something else than this agent has
   * written.
   */
  readonly onTaken: (divergence?: StorageError) => void
  /** Called when nothing can be stored any more. */
  readonly onFailure: (thrown: unknown) => void
}

/** The one agent that writes the session: it does what followers ask for, and posts to them what is not stored. */
export function createOwner(given: OwnerOptions, claim: Claim, fates: Fates): Role {
  const { ports, wishes } = given
  const opening = ports.state().nextSeq
  const say = (said: Said) =>
    given.say({ ...said, by: { seq: opening, bootId: ports.state().bootId } })
  const options = { ...given, say }
  const { journal, checkpoints, live, space, ...tenure } = createTenure(options, claim, fates)
  const { redact, isHolding } = options
  // A command may outlive its role, which an agent leaves for a redaction.
  const isOwner = () => tenure.isOwner() || isHolding(claim)
  const grants = createGrants({ ports, say, redact, stored: journal.stored, isOwner })
  const goOn = resumeLater(options, claim)
  ports.own({ ...journal, causeOf: (fact) => defined({ wishId: grants.wishOf(fact) }) })
  confirmOnceStored(journal, () => {
    fates.onOpened()
    return claim.confirm()
  })

  return {
    // Commands that come while the session is given away wait for the next owner.
    get remote() {
      return tenure.isOwner() ? null : wishes
    },
    held: { claim, isOwner: tenure.isOwner, stored: journal.stored, keep: tenure.keep },
    enter: () => {
      if (claim.lost.aborted) return tenure.lose()
      space.repeat()
      // This owner does the commands that no owner has answered.
      wishes.performAll(grants.perform)
      goOn()
    },
    receive: (said) => {
      if (said.say === 'hello' && !tenure.isStopped()) {
        // The follower reads the text so far from the storage.
        checkpoints.write()
        live.start()
        space.repeat()
      } else if (said.say === 'release' && !tenure.isStopped()) tenure.giveAway()
      else if (said.say === 'wish' && tenure.isOwner()) {
        // A follower that has not read this owner's opening may not have read either that its wish was done. It asks
        // again when it has.
        if (said.seq > opening) grants.grant(said)
        else journal.flush('all')
      }
    },
    leave: tenure.leave,
  }
}

/** The time for which the agent owns the session, and what ends it. */
function createTenure(options: OwnerOptions, claim: Claim, fates: Fates) {
  const { clock, ports, say } = options
  const { lost, release } = claim
  const space = createProblemNotice(options, claim)
  const onFailure = (thrown: unknown) => loseBy(thrown)
  const journal = openJournal(options, claim.epoch, { onFull: space.noteFull, onFailure })
  let [isStopped, isGivenAway, isKept] = [false, false, false]
  let cancelTimer = () => {}

  /** Commands that come from now on wait for the next owner. */
  function endTaking(): void {
    isGivenAway = true
    ports.disown()
  }

  function end(): void {
    isStopped = true
    duties.stop()
    space.stop()
  }

  function stop(divergence?: StorageError): void {
    if (isStopped) return
    end()
    // This comes first, so that nothing that waited for an event to be stored continues.
    ports.disown()
    abandon(ports, journal, divergence)
    fates.onTaken(divergence)
  }

  function fail(thrown: unknown): void {
    if (isStopped) return
    end()
    fates.onFailure(thrown)
    // A follower may then become the owner.
    release()
  }

  const loseBy = (thrown: unknown) => (isTaken(thrown) ? stop(divergenceIn(thrown)) : fail(thrown))
  const lose = () => (lost.reason instanceof StorageError ? loseBy(lost.reason) : stop())
  lost.addEventListener('abort', lose)
  const duties = createDuties(options, claim, journal)
  const { live, checkpoints } = duties
  const onHide = handingOver({ journal, duties, release }, endTaking)
  const stopWatchingPage = watchPageLife({ onHide, onReturn: () => stop() })

  return {
    ...{ journal, checkpoints, live, space, lose },
    isStopped: () => isStopped,
    isOwner: () => !isStopped && !isGivenAway,
    /** Lets another agent take the session. If none does, the next agent that waits gets it, which may be this one. */
    giveAway: () => {
      endTaking()
      journal.close()
      void journal.drained().then(() => say({ say: 'released' }))
      cancelTimer()
      cancelTimer = clock.setTimer(handOverMs, stop)
    },
    keep: () => {
      isKept = true
      // Events that are written from now on would belong to no role.
      endTaking()
    },
    leave: async () => {
      end()
      cancelTimer()
      stopWatchingPage()
      await endWriting(options, { journal, duties, release }, isKept)
    },
  }
}

interface Work extends Pick<Claim, 'release'> {
  readonly journal: Journal
  readonly duties: ReturnType<typeof createDuties>
}

/** Waits for pending writes, and then ends the claim, unless it is kept for the next role. */
async function endWriting(
  { clock }: OwnerOptions,
  { journal, duties, release }: Work,
  isKept: boolean,
): Promise<void> {
  if (!isKept) journal.end()
  await journal.drained()
  // The claim is released only now: late writes could bring back what the next owner removes.
  if (!isKept) release()
  else await answeredInTime(duties.settled(), clock)
  duties.close()
}

/** What stores all it can while the page goes away, without waiting for anything. */
function handingOver(
  { journal, duties, release }: Work,
  endTaking: () => void,
): PageLife['onHide'] {
  return (isPageKept) => {
    duties.checkpoints.write()
    // A failure while the page goes away is not a failure of the session. What is said in a page that is kept is done when
    // it is back.
    endTaking()
    journal.rescue()
    // A page that is kept runs nothing, and would own the session for as long.
    if (isPageKept) release()
  }
}

/** What runs for as long as an agent is the owner. */
function createDuties(options: OwnerOptions, claim: Claim, { stored }: Journal) {
  const { clock, ports, standing, say, opened: loaded } = options
  const live = createLiveShare(ports, say, clock)
  const checkpoints = createCheckpoints(ports, clock)
  const entry = keepListEntry(options, stored)
  const snapshots = keepSnapshots(options, { stored, loaded, claim })
  const stopWatching = onUserMessage(ports, () => {
    stored().then(standing.ask, () => {})
  })
  return {
    ...{ live, checkpoints },
    stop: () => {
      for (const part of [checkpoints, live, entry, snapshots]) part.stop()
      stopWatching()
    },
    /** Resolves when no snapshot and no list entry is being written. */
    settled: () => Promise.all([snapshots.settled(), entry.settled()]),
    close: entry.close,
  }
}

function openJournal(
  { storage, sessionId, clock, ports }: RoleOptions,
  epoch: number,
  fates: Pick<JournalOptions, 'onFull' | 'onFailure'>,
): Journal {
  return createJournal({
    ...{ storage, sessionId, clock, position: { head: ports.state().nextSeq, epoch } },
    isStrict: (event) => isStrict(ports, event),
    ...fates,
  })
}

/** Calls back once a message of the user is stored: only then is the browser asked to keep the data. */
function onUserMessage({ subscribe }: RoleOptions['ports'], callback: () => void): () => void {
  return subscribe((event) => {
    if (event.type === 'message_end' && event.message.role === 'user') callback()
  })
}

/** Confirms that the page has opened the session: a page that breaks does not get here. */
function confirmOnceStored(journal: Journal, confirm: Claim['confirm']): void {
  const confirmed = journal.stored().then(confirm)
  confirmed.catch(() => {})
}

function isTaken(thrown: unknown): boolean {
  return isKind(thrown, 'not_owner') || divergenceIn(thrown) !== undefined
}

function divergenceIn(thrown: unknown): StorageError | undefined {
  return isKind(thrown, 'diverged') ? thrown : undefined
}

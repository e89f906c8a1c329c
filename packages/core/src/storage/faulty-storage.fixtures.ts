import type { DurableEvent } from '../kernel/events.ts'
import { type Claim, type SessionStorage, StorageError } from './port.ts'

/**
 * What happens to a call of a storage. `'late'`: its answer comes some turns later. `'refused'`: it fails, and nothing was
 * done. `'unanswered'`: it was done, but fails.
 */
export type Fault = 'none' | 'late' | 'refused' | 'unanswered'

export interface FaultyStorage extends SessionStorage {
  /** Every claim so far is lost, though no other one was made. */
  readonly loseClaims: () => void
}

/** A storage that works as the other one but for the faults, and whose followers get every batch of events twice. */
export function faultyStorage(
  storage: SessionStorage,
  faultOf: (method: 'read' | 'append' | 'claim' | 'redact' | 'other') => Fault,
): FaultyStorage {
  const claims = new Set<AbortController>()

  async function meet<Answer>(fault: Fault, work: () => Promise<Answer>): Promise<Answer> {
    if (fault === 'refused') throw new StorageError('unknown', 'It was refused.')
    const answer = await work()
    if (fault === 'late') await turns()
    if (fault === 'unanswered') throw new StorageError('unknown', 'Its answer is lost.')
    return answer
  }

  function withLoss(claim: Claim): Claim {
    const loss = new AbortController()
    claims.add(loss)
    return {
      ...claim,
      lost: AbortSignal.any([claim.lost, loss.signal]),
      keepBytes: (...asked) => meet(faultOf('other'), () => claim.keepBytes(...asked)),
    }
  }

  return {
    ...storage,
    read: (...asked) => meet(faultOf('read'), () => storage.read(...asked)),
    append: (...asked) => meet(faultOf('append'), () => storage.append(...asked)),
    claim: async (...asked) => {
      const claim = await meet(faultOf('claim'), () => storage.claim(...asked))
      return claim && withLoss(claim)
    },
    list: (...asked) => meet(faultOf('other'), () => storage.list(...asked)),
    describe: (...asked) => meet(faultOf('other'), () => storage.describe(...asked)),
    writeBytes: (...asked) => meet(faultOf('other'), () => storage.writeBytes(...asked)),
    readBytes: (...asked) => meet(faultOf('other'), () => storage.readBytes(...asked)),
    delete: (...asked) => meet(faultOf('other'), () => storage.delete(...asked)),
    redact: (...asked) => meet(faultOf('redact'), async () => storage.redact?.(...asked)),
    follow: (sessionId, from, listener) =>
      storage.follow(sessionId, from, (events: readonly DurableEvent[]) => {
        listener(events)
        listener(events)
      }),
    loseClaims: () => {
      for (const claim of claims) claim.abort()
      claims.clear()
    },
  }
}

/** A storage whose answers all come late. Followers get every batch once. */
export function lateStorage(storage: SessionStorage): SessionStorage {
  return { ...faultyStorage(storage, () => 'late'), follow: storage.follow }
}

const turns = () => new Promise<void>((resolve) => setTimeout(resolve, 2))

import { isDerived } from '../../packages/core/src/storage/derived-bytes.ts'
import { memoryStorage } from '../../packages/core/src/storage/memory.ts'
import type { Claim, SessionStorage } from '../../packages/core/src/storage/port.ts'
import type { Random } from '../world/random.ts'
import type { Scope, Timeline } from '../world/timeline.ts'

/** What a device keeps, for its pages. */
export interface Disk {
  readonly stored: SessionStorage
  /** The disk as a page reaches it: with a delay, and not any more when the page is gone. */
  readonly open: (scope: Scope) => SessionStorage
  /** The page is gone, with its claims. */
  readonly leave: (scope: Scope) => void
}

/** Milliseconds to the disk and back, at most. */
const diskMs = 30

export function createDisk(timeline: Timeline, random: Random): Disk {
  const stored = memoryStorage()
  const claims = new Map<Scope, Claim[]>()

  function open(scope: Scope): SessionStorage {
    // A page that is gone never hears of anything.
    const wait = () =>
      new Promise<void>((resolve) => void timeline.after((random() * diskMs) / 2, resolve, scope))
    const slowly =
      <Asked extends unknown[], Answer>(method: (...asked: Asked) => Promise<Answer>) =>
      async (...asked: Asked): Promise<Answer> => {
        await wait()
        try {
          return await method(...asked)
        } finally {
          await wait()
        }
      }
    return {
      ...stored,
      read: slowly(stored.read),
      list: slowly(stored.list),
      describe: slowly(stored.describe),
      writeBytes: slowly(stored.writeBytes),
      readBytes: slowly(stored.readBytes),
      delete: slowly(stored.delete),
      // The last events of a page are stored without a delay.
      append: (...asked) =>
        asked[1].isLast ? stored.append(...asked) : slowly(stored.append)(...asked),
      claim: slowly(async (...asked) => {
        const claim = await stored.claim(...asked)
        if (!claim) return null
        claims.set(scope, [...(claims.get(scope) ?? []), claim])
        if (scope.gone) claim.release()
        const keepInOrder = inOrder(slowly(claim.keepBytes))
        const keepBytes: Claim['keepBytes'] = (key, data) =>
          isDerived(key) ? claim.keepBytes(key, data) : keepInOrder(key, data)
        return { ...claim, keepBytes }
      }),
    }
  }

  return {
    ...{ stored, open },
    leave: (scope) => {
      for (const { release } of claims.get(scope) ?? []) release()
    },
  }
}

/** One after the other, as a database writes. */
function inOrder<Asked extends unknown[]>(write: (...asked: Asked) => Promise<void>) {
  let last: Promise<unknown> = Promise.resolve()
  return (...asked: Asked): Promise<void> => {
    const written = last.then(() => write(...asked))
    last = written.catch(() => {})
    return written
  }
}

import { type Claim, deletedSession } from '@offthread/core/storage'
import { type Lines, oneAtATime } from './lines.ts'
import type { Link } from './link.ts'
import type { Names } from './names.ts'
import type { Records } from './records.ts'

/** The time for which a claim is held, or asked for. */
export interface Tenure extends Pick<Claim, 'lost' | 'release'> {
  readonly holder: string
  /** The claim was made, with this number. */
  readonly begin: (epoch: number) => void
}

export interface TenureOptions {
  readonly link: Link
  readonly names: Names
  readonly lines: Lines
  readonly records: Records
  readonly newId: () => string
}

/** Answers agents that ask whether the holder is there, and notices what ends the claim. */
export function createTenure(
  { link, names, lines, records, newId }: TenureOptions,
  sessionId: string,
): Tenure {
  const holder = newId()
  const ending = new AbortController()
  let own = Number.POSITIVE_INFINITY
  /** The number of the last claim that was noticed. Its notice may come before this tenure has its own number. */
  let latest = 0
  let mayHaveMissed = false
  let isOver = false

  function compare(): void {
    if (latest > own) ending.abort()
  }

  /** Reads from the record whether the claim still holds. */
  async function check(): Promise<void> {
    const record = await records.get(sessionId)
    if (!record) ending.abort(deletedSession())
    else if (own < Number.POSITIVE_INFINITY && record.holder !== holder) ending.abort()
  }

  /** Finds out what was posted while the connection was cut. */
  async function look(): Promise<void> {
    mayHaveMissed = own === Number.POSITIVE_INFINITY
    if (mayHaveMissed) return
    await check()
    // The cut may also have swallowed the notice of this claim.
    if (!ending.signal.aborted) lines.post(sessionId, { kind: 'claimed', epoch: own })
  }

  const lookLater = oneAtATime(look)
  const checkLater = oneAtATime(check)

  const stops = [
    link.subscribe(names.holder(holder), (message) => message.respond()),
    lines.listen(sessionId, (notice) => {
      if (notice.kind === 'deleted') checkLater()
      if (notice.kind === 'gone' && own === Number.POSITIVE_INFINITY) ending.abort(deletedSession())
      if (notice.kind === 'claimed') {
        latest = Math.max(latest, notice.epoch)
        compare()
      }
    }),
    link.watch({ onReturn: lookLater }),
  ]

  return {
    holder,
    lost: AbortSignal.any([ending.signal, link.ended]),
    begin: (epoch) => {
      own = epoch
      compare()
      if (mayHaveMissed) lookLater()
    },
    release: () => {
      if (isOver) return
      isOver = true
      for (const stop of stops) stop()
      // If this does not arrive, agents that wait find out by themselves, because nothing answers for the holder any
      // more.
      records
        .change(sessionId, (known) => known?.holder === holder && { ...known, holder: null })
        .then(
          () => lines.post(sessionId, { kind: 'released' }),
          () => {},
        )
    },
  }
}

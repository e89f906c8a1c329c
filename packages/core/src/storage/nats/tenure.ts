import type { Claim } from '../port.ts'
import { deletedSession } from '../position.ts'
import type { Lines } from './lines.ts'
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

/** Answers those who ask whether the holder is there, and notices what ends the claim. */
export function createTenure(
  { link, names, lines, records, newId }: TenureOptions,
  sessionId: string,
): Tenure {
  const holder = newId()
  const ending = new AbortController()
  let own = Number.POSITIVE_INFINITY
  let isOver = false

  /** What was said while the connection was cut. */
  async function look(): Promise<void> {
    if (own === Number.POSITIVE_INFINITY) return
    const record = await records.get(sessionId)
    if (!record) ending.abort(deletedSession())
    else if (record.holder !== holder) ending.abort()
  }

  const stops = [
    link.subscribe(names.holder(holder), (message) => message.respond()),
    lines.listen(sessionId, (notice) => {
      if (notice.kind === 'deleted' && !(notice.seq < own && own < Number.POSITIVE_INFINITY)) {
        ending.abort(deletedSession())
      }
      if (notice.kind === 'claimed' && notice.epoch > own) ending.abort()
    }),
    link.watch({ onReturn: () => void look().catch(() => {}) }),
  ]

  return {
    holder,
    lost: AbortSignal.any([ending.signal, link.ended]),
    begin: (epoch) => {
      own = epoch
    },
    release: () => {
      if (isOver) return
      isOver = true
      for (const stop of stops) stop()
      // Who waits finds out, also if this does not arrive: nothing answers for the holder any more.
      records
        .change(sessionId, (known) => known?.holder === holder && { ...known, holder: null })
        .then(
          () => lines.post(sessionId, { kind: 'released' }),
          () => {},
        )
    },
  }
}

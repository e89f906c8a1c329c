import { type Claim, type ClaimMode, deletedSession } from '@offthread/core/storage'
import type { Appends } from './append.ts'
import { changedTooOften } from './failure-of.ts'
import type { Files } from './files.ts'
import type { Lines } from './lines.ts'
import type { Link } from './link.ts'
import { headerLine, type Tail } from './log-message.ts'
import type { Names } from './names.ts'
import type { Presence } from './presence.ts'
import { publishAfter } from './publish.ts'
import { newRecord, type Records } from './records.ts'
import type { StoredLog } from './stored-log.ts'
import type { Tenure } from './tenure.ts'

export interface ClaimPorts {
  readonly link: Link
  readonly names: Names
  readonly log: StoredLog
  readonly records: Records
  readonly lines: Lines
  readonly files: Files
  readonly appends: Appends
  readonly newId: () => string
}

/** A claim that is made for the holder of a tenure. */
interface Wanted {
  readonly sessionId: string
  readonly tenure: Tenure
  readonly mode: ClaimMode
}

/** How many times in a row the log may change between a look at it and the message of the claim. */
const mostLooks = 20

/** Makes a claim. Resolves with `null` if another holder has it, or has taken it meanwhile. */
export async function makeClaim(
  ports: ClaimPorts,
  presence: Presence,
  wanted: Wanted,
): Promise<Claim | null> {
  const { records, lines, files, log, appends } = ports
  const { sessionId, tenure } = wanted
  const { holder } = tenure
  const before = await reserve(ports, presence, wanted)
  const tail = before && (await fence(ports, sessionId, holder))
  if (!tail) return null
  const { epoch } = tail
  const { unconfirmed } = before
  const record = await records.change(sessionId, (known) => {
    if (!known) throw deletedSession()
    return known.holder === holder && { ...known, epoch, unconfirmed: unconfirmed + 1 }
  })
  if (record?.holder !== holder) return null
  appends.note(sessionId, tail)
  tenure.begin(epoch)
  lines.post(sessionId, { kind: 'claimed', epoch })
  // Removes what a deletion or redaction that broke off has left.
  if (tail.base > 0) await log.removeBefore(sessionId, tail.base)
  return {
    ...{ epoch, unconfirmed, lost: tenure.lost, release: tenure.release },
    confirm: async () => {
      await records.change(
        sessionId,
        (known) => known?.epoch === epoch && { ...known, unconfirmed: 0 },
      )
    },
    keepBytes: (key, data) => files.keep(sessionId, { key, data }, epoch),
  }
}

/** Names the holder in the record. `null`: another one has it. */
async function reserve(
  { records }: ClaimPorts,
  { isThere, isSurelyGone }: Presence,
  { sessionId, tenure, mode }: Wanted,
): Promise<{ readonly unconfirmed: number } | null> {
  const { holder } = tenure
  const isFree = mode === 'wait' ? isSurelyGone : async (id: string) => !(await isThere(id))
  const record = await records.change(sessionId, async (known) => {
    const other = known?.holder ?? null
    if (other === holder) return false
    const mayHave = other === null || mode === 'take' || (await isFree(other))
    return mayHave && { ...(known ?? newRecord), holder }
  })
  return record?.holder === holder ? record : null
}

/** Adds the message of the claim to the log. `null`: another one has taken it meanwhile. */
async function fence(
  { link, names, log, records, newId }: ClaimPorts,
  sessionId: string,
  holder: string,
): Promise<Tail | null> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    // The tail is read before the record. If another agent takes the claim after the second look, its message comes
    // after this tail: then the server refuses ours, or theirs follows it.
    const before = await log.tail(sessionId)
    const record = await records.get(sessionId)
    if (!record) throw deletedSession()
    if (record.holder !== holder) return null
    const { head, base, created, updated } = before
    const header = { ...{ head, base, created, updated }, epoch: 'own' } as const
    const message = {
      ...{ subject: names.log(sessionId), id: newId(), data: new Uint8Array() },
      header: headerLine(header),
    }
    const seq = await publishAfter(link, before.seq, message)
    if (seq !== null) return { ...header, seq, epoch: seq }
  }
  throw changedTooOften()
}

import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import type { Claim, ClaimMode } from '../../packages/core/src/storage/port.ts'
import type { BrokenRule } from '../judge.ts'
import type { Client } from './network.ts'

/** A claim that was made. */
interface Held {
  readonly claim: Claim
  readonly client: Client
  /** How often its connection had been cut when it was asked for. */
  readonly cuts: number
  /** How many had asked to take the session when it was made; `null`: it may have been taken by then. */
  readonly takes: number | null
  isReleased: boolean
  /** Whether all other devices must know of the claim by now, unless they were cut. */
  isKnown: boolean
}

interface Writer {
  readonly name: string
  readonly epoch: number
}

type Note = (rule: string, why: string) => void

/** A text that is larger than a message of the server. */
const larger = ' '.repeat(8000)

/** What has to hold of devices that share one session. */
export function createDevicesJudge() {
  const broken: BrokenRule[] = []
  const note: Note = (rule, why) => void broken.push({ rule, why })
  const claims = createClaimsJudge(note)
  const acknowledged: DurableEvent[] = []
  const followed: DurableEvent[] = []
  let written = 0
  return {
    ...claims,
    found: (): readonly BrokenRule[] => broken,
    broken: note,
    /** A new event, which says who has written it. */
    event: ({ name, epoch }: Writer, seq: number): DurableEvent => {
      written += 1
      const text = written % 8 === 0 ? larger : ''
      return {
        ...{ v: 1, seq, ts: seq, sessionId: 's', runId: null, turn: 0 },
        ...{ type: 'warning', code: String(epoch), message: `${written} by ${name}${text}` },
      }
    },
    acknowledged: (events: readonly DurableEvent[]): void => void acknowledged.push(...events),
    seen: (events: readonly DurableEvent[]): void => void followed.push(...events),
    /** `log`: what is stored when all devices are at rest. */
    end: (log: readonly DurableEvent[]): void => {
      const isStored = (event: DurableEvent) =>
        JSON.stringify(log[event.seq]) === JSON.stringify(event)
      for (const event of acknowledged) {
        if (!isStored(event)) note('K3', `event ${event.seq} was acknowledged, and is not stored`)
      }
      if (JSON.stringify(followed) !== JSON.stringify(log)) {
        note('D3', `a follower saw ${seqs(followed)} of ${seqs(log)}`)
      }
      judgeLog(log, note)
      claims.end()
    },
  }
}

function createClaimsJudge(note: Note) {
  const claims = new Map<number, Held>()
  let takes = 0
  let openTakes = 0
  let openAsks = 0
  let hasFailed = false
  const latestEpoch = () => Math.max(0, ...claims.keys())
  const isThere = ({ client, takes: before, isReleased }: Held) =>
    !isReleased && before === takes && client.cuts() === 0

  /** Notes that a device asks for the session. Returns functions that note the answer. */
  function asks(mode: ClaimMode, client: Client) {
    const own = mode === 'take' ? 1 : 0
    takes += own
    openTakes += own
    openAsks += 1
    const cuts = client.cuts()
    const holders = [...claims.values()].filter((one) => one.client !== client && isThere(one))
    return {
      granted: (claim: Claim): void => {
        const { epoch } = claim
        if (claims.has(epoch)) note('D1', `two claims have the number ${epoch}`)
        const other = client.cuts() === 0 ? holders.find(isThere) : undefined
        if (mode === 'if-free' && other) {
          note('K2', `the claim ${epoch} was free, and the holder of ${other.claim.epoch} there`)
        }
        const uncontested = openTakes === own && epoch > latestEpoch() ? takes : null
        const held = { claim, client, cuts, takes: uncontested }
        claims.set(epoch, { ...held, isReleased: false, isKnown: false })
      },
      failed: (): void => {
        hasFailed = true
      },
      ended: (): void => {
        openTakes -= own
        openAsks -= 1
      },
    }
  }

  return {
    ...{ latestEpoch, asks },
    /** Called when enough time has passed for all devices to know of a claim. */
    heard: (epoch: number): void => {
      const made = claims.get(epoch)
      if (made) made.isKnown = true
      judgeOwners([...claims.values()], note)
    },
    released: (epoch: number): void => {
      const held = claims.get(epoch)
      if (held) held.isReleased = true
    },
    /** An owner was notified that another one has its session. */
    refused: (epoch: number): void => {
      // Another claim may have come after this one, even if it failed or has no answer yet.
      if (epoch >= latestEpoch() && openAsks === 0 && !hasFailed) {
        note('K2', `the owner ${epoch} was refused, and none is after it`)
      }
    },
    conflicted: (epoch: number): void =>
      note('K1', `the owner ${epoch} found events that it did not write`),
    end: (): void => judgeEnd([...claims.values()], latestEpoch(), note),
  }
}

function judgeEnd(claims: readonly Held[], latest: number, note: Note): void {
  for (const { claim, isReleased } of claims) {
    if (!isReleased && claim.epoch < latest && !claim.lost.aborted) {
      note('K2', `the owner ${claim.epoch} never learns that it was replaced`)
    }
  }
}

/** Of the owners that must know of each other, all but the last one have lost the session. */
function judgeOwners(claims: readonly Held[], note: Note): void {
  const hearing = claims.filter(
    ({ client, cuts, isKnown }) => isKnown && client.cuts() === cuts && !client.isCut(),
  )
  const latest = Math.max(0, ...hearing.map(({ claim }) => claim.epoch))
  for (const { claim, isReleased } of hearing) {
    if (isReleased || claim.epoch === latest || claim.lost.aborted) continue
    note('K2', `the owner ${claim.epoch} does not hear at once that ${latest} replaced it`)
  }
}

function judgeLog(log: readonly DurableEvent[], note: Note): void {
  let before = 0
  for (const [index, event] of log.entries()) {
    if (event.seq !== index) note('I1', `event ${event.seq} is stored as ${index}`)
    const epoch = event.type === 'warning' ? Number(event.code) : 0
    if (epoch < before)
      note('D1', `event ${index} is of the claim ${epoch}, after one of ${before}`)
    before = epoch
  }
  const texts = log.map((event) => (event.type === 'warning' ? event.message : ''))
  if (new Set(texts).size < log.length) note('K3', 'an event is stored twice')
}

function seqs(events: readonly DurableEvent[]): string {
  return events.map(({ seq }) => seq).join(' ')
}

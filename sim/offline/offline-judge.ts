import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import type { SessionStorage } from '../../packages/core/src/storage/port.ts'
import type { BrokenRule } from '../judge.ts'
import type { Disk } from './disk.ts'

export type OfflineJudge = ReturnType<typeof createOfflineJudge>

/** Makes the events that one owner writes, and notes which are stored. */
export interface Writing {
  /** New events from a number on. */
  readonly events: (head: number, count: number) => readonly DurableEvent[]
  /** Notes that these events count as stored. */
  readonly acknowledged: (events: readonly DurableEvent[]) => void
}

type Server = Pick<SessionStorage, 'list' | 'read'>
type Note = (rule: string, why: string) => void

/** A session at the server, in the end. */
interface Log {
  readonly sessionId: string
  readonly events: readonly DurableEvent[]
  readonly said: readonly string[]
}

/** What has to hold of devices that go on without their server. */
export function createOfflineJudge() {
  const broken: BrokenRule[] = []
  const note: Note = (rule, why) => void broken.push({ rule, why })
  const acknowledged: string[][] = []
  const kept = new Set<string>()
  let written = 0
  let log: readonly DurableEvent[] = []
  let apart = 0

  function writes(name: string): Writing {
    const own: string[] = []
    acknowledged.push(own)
    return {
      events: (head, count) =>
        Array.from({ length: count }, (_, index) => {
          written += 1
          return warning(head + index, `${written} by ${name}`)
        }),
      acknowledged: (events) => void own.push(...events.map(textOf)),
    }
  }

  return {
    ...{ writes, broken: note },
    found: (): readonly BrokenRule[] => broken,
    seen: () => ({ log, kept: apart }),
    keptAs: (sessionId: string): void => void kept.add(sessionId),
    end: async (server: Server, disks: readonly Disk[]): Promise<void> => {
      const logs = await readAll(server)
      log = logs.find(({ sessionId }) => sessionId === 's')?.events ?? []
      apart = logs.filter(({ sessionId }) => sessionId !== 's').length
      for (const one of logs) judgeLog(one, note)
      judgePairs(logs, note)
      for (const own of acknowledged) judgeWriter(logs, own, note)
      for (const disk of disks) await judgeCopies(disk, logs, note)
      const lost = [...kept].find((id) => !logs.some(({ sessionId }) => sessionId === id))
      if (lost) note('K16', `an owner was referred to ${lost}, which is not there`)
    },
  }
}

async function readAll(server: Server): Promise<readonly Log[]> {
  const logs: Log[] = []
  for (const { sessionId } of await server.list()) {
    const events = await server.read(sessionId)
    logs.push({ sessionId, events, said: events.map(textOf) })
  }
  return logs
}

function judgeLog({ sessionId, events, said }: Log, note: Note): void {
  const wrong = events.find((event, at) => event.seq !== at || event.sessionId !== sessionId)
  if (wrong)
    note('I1', `${sessionId} has event ${wrong.seq} of ${wrong.sessionId} in a wrong place`)
  if (new Set(said).size < said.length) note('K18', `${sessionId} has an event twice`)
}

/** Two sessions may be there only if both have something of their own. */
function judgePairs(logs: readonly Log[], note: Note): void {
  for (const one of logs) {
    for (const other of logs) {
      const isWhole = one.said.every((text, at) => text === other.said[at])
      if (one !== other && isWhole) {
        note('K19', `${one.sessionId} is kept apart, and is the start of ${other.sessionId}`)
      }
    }
  }
}

function judgeWriter(logs: readonly Log[], own: readonly string[], note: Note): void {
  for (const text of own) {
    if (!logs.some(({ said }) => said.includes(text)))
      note('K18', `"${text}" was stored, and is lost`)
  }
  for (const { sessionId, said } of logs) {
    const here = said.filter((text) => own.includes(text))
    const inOrder = own.filter((text) => here.includes(text))
    if (here.join() !== inOrder.join())
      note('K18', `${sessionId} has "${here.join()}" in another order`)
  }
}

/** A device must be able to go on now with what the server has. */
async function judgeCopies({ stored }: Disk, logs: readonly Log[], note: Note): Promise<void> {
  for (const { sessionId } of await stored.list()) {
    const copy = (await stored.read(sessionId)).map(textOf)
    const there = logs.find((log) => log.sessionId === sessionId)?.said ?? []
    const isStart = copy.every((text, at) => text === there[at])
    if (!isStart) note('K17', `the copy of ${sessionId} has what the server does not have`)
  }
}

function warning(seq: number, message: string): DurableEvent {
  const envelope = { v: 1, seq, ts: seq, sessionId: 's', runId: null, turn: 0 } as const
  return { ...envelope, type: 'warning', code: 'test', message }
}

function textOf(event: DurableEvent): string {
  return event.type === 'warning' ? event.message : event.type
}

import { messageOf } from '../internal/message-of.ts'
import { type DurableEvent, ephemeralTypes } from '../kernel/events.ts'
import { StorageError } from '../storage/port.ts'
import { envelope, eventShapes } from './event-shapes.ts'
import { type Lift, lifted, lifts } from './event-versions.ts'
import type { Shape } from './shape.ts'

/**
 * Reads the value that a storage returned for the event with this number. An event of an older version is lifted,
 * without a change in the storage. Anything else is an error that names the event and says what to do: `newer` for an
 * event of a later version, else `damaged`.
 */
export function readStoredEvent(
  value: unknown,
  seq: number,
  all: readonly Lift[] = lifts,
): DurableEvent | StorageError {
  const event = lifted(value, all)
  if (event === 'newer') return newer(seq, `a version above ${all.length + 1}`)
  if (!event) return damaged(seq, 'it must be an object whose v is the number of a version')
  if (event['seq'] !== seq) return damaged(seq, `its seq is ${messageOf(event['seq'])}`)
  const { type } = event
  if (typeof type !== 'string') return damaged(seq, 'its type must be a text')
  const shape = shapes.get(type)
  if (!shape) {
    if (ephemeralTypes.has(type)) return damaged(seq, 'it need not be stored, and is', type)
    return newer(seq, `the type "${type.slice(0, 100)}"`)
  }
  const problem = envelope(event) ?? shape(event)
  return fits(event, problem) ? event : damaged(seq, sentenceOf(problem ?? ''), type)
}

const shapes: ReadonlyMap<string, Shape> = new Map(Object.entries(eventShapes))

function sentenceOf(problem: string): string {
  return problem.startsWith('.') ? problem.slice(1) : `it${problem}`
}

function fits(_event: unknown, problem: string | null): _event is DurableEvent {
  return problem === null
}

/** The error for an event that is damaged in the storage. */
export function damaged(seq: number, why: string, type?: string): StorageError {
  const which = type === undefined ? `event ${seq}` : `event ${seq} (${type})`
  return new StorageError(
    'damaged',
    `The stored session is damaged at ${which}: ${why}. It is shown up to there, and nothing of it was changed. Begin a new session to go on.`,
  )
}

function newer(seq: number, what: string): StorageError {
  return new StorageError(
    'newer',
    `The stored session was written by a newer version of this app from event ${seq} on, which has ${what}, and is shown up to there. Reload this page to get that version.`,
  )
}

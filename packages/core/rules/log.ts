import { type AgentEvent, isDurable } from '../src/kernel/events.ts'
import { readStoredEvent } from '../src/runtime/read-stored-event.ts'
import { StorageError } from '../src/storage/port.ts'
import type { Session } from './book.ts'

export interface LogRules {
  readonly see: (event: AgentEvent) => void
}

/** I1 numbers, I6 plain JSON, I36 secrets, D53 what the next opening reads. Freezes what it has seen: an event never changes. */
export function createLogRules({ check, setup }: Session): LogRules {
  let seq = -1
  let sub = 0
  const seal = createSeal(setup.secrets)

  function seeOrder(event: AgentEvent): void {
    if (isDurable(event)) {
      check('I1', event.seq === seq + 1 && event.sub === undefined, `expected seq ${seq + 1}`)
      seq = event.seq
      sub = 0
    } else {
      check('I1', event.seq === seq && event.sub === sub + 1, `expected ${seq}.${sub + 1}`)
      sub = event.sub ?? sub + 1
    }
    check('I1', event.v === 1 && seq >= 0, 'an envelope of version 1, after a durable event')
  }

  return {
    see: (event) => {
      seeOrder(event)
      const problem = seal(event)
      if (problem !== null) check(problem === 'a secret' ? 'I36' : 'I6', false, `holds ${problem}`)
      const read = isDurable(event) && readStoredEvent(event, event.seq)
      if (read instanceof StorageError) check('D53', false, read.message)
    },
  }
}

/**
 * Says what keeps a value from being plain JSON, or returns `null`. Freezes what it walks, so that it visits each
 * value once.
 */
function createSeal(secrets: readonly string[]): (value: unknown) => string | null {
  const seen = new WeakSet<object>()

  function seal(value: unknown): string | null {
    switch (typeof value) {
      case 'string':
        return secrets.some((secret) => value.includes(secret)) ? 'a secret' : null
      case 'boolean':
        return null
      case 'number':
        if (Object.is(value, -0)) return 'the number -0'
        return Number.isFinite(value) ? null : `the number ${value}`
      case 'object':
        return value === null || seen.has(value) ? null : sealObject(value)
      default:
        return `a value of type ${typeof value}`
    }
  }

  function sealObject(value: object): string | null {
    const prototype: unknown = Object.getPrototypeOf(value)
    const isList = Array.isArray(value)
    if (!isList && prototype !== Object.prototype && prototype !== null) return 'no plain object'
    const keys = Object.keys(value)
    if (isList && keys.length !== value.length) return 'a list with gaps'
    for (const key of keys) {
      if (secrets.length > 0 && seal(key) !== null) return 'a secret'
      const problem = seal((value as { readonly [key: string]: unknown })[key])
      if (problem !== null) return problem
    }
    Object.freeze(value)
    seen.add(value)
    return null
  }

  return seal
}

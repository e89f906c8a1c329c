/** The subjects of one fleet. */
export interface Subjects {
  /** The subject of requests. One of the processes with room takes each. */
  readonly open: string
  /** The subject of requests that no process took: all processes listen. */
  readonly openFull: string
  /** What a page sends to one call's thread. */
  readonly call: (processId: string, callId: string) => string
}

const legalName = /^[a-zA-Z0-9_-]{1,64}$/

/** Throws a `TypeError` for a name that is no word of a subject. */
export function subjectsOf(fleet: string): Subjects {
  if (!legalName.test(fleet)) {
    throw new TypeError(
      `A fleet cannot be called ${JSON.stringify(fleet)}: use 1 to 64 letters, digits, "_" or "-".`,
    )
  }
  const prefix = `offthread.tools.${fleet}`
  return {
    open: `${prefix}.open`,
    openFull: `${prefix}.open.full`,
    call: (processId, callId) => `${prefix}.call.${processId}.${callId}`,
  }
}

/** All processes of a fleet are in the queue group of this name. */
export const queueGroup = 'offthread-tools'

const legalId = /^[a-z0-9]{16,32}$/

/** Whether a text from elsewhere is an id, and so no part of another subject. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && legalId.test(value)
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** An id that cannot be guessed. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
}

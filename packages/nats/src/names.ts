/** The names of everything that a storage keeps at the server. */
export interface Names {
  /** The stream of the logs. */
  readonly logs: string
  /** The stream of the key-value bucket with a record for each session. */
  readonly records: string
  /** The stream of the object store. */
  readonly objects: string
  /** What these streams keep. */
  readonly subjects: {
    readonly logs: string
    readonly records: string
    readonly objects: readonly string[]
  }
  readonly log: (sessionId: string) => string
  readonly record: (sessionId: string) => string
  /** The subject on which agents that have one session open post to each other. Its messages are not kept. */
  readonly line: (sessionId: string) => string
  /** The subject on which the holder of a claim answers that it is there. */
  readonly holder: (id: string) => string
  /** The subject to which the server delivers what is read. */
  readonly delivery: (id: string) => string
  readonly chunks: (id: string) => string
  readonly object: (id: string) => string
}

/** `name`: of the storage. */
export function namesOf(name: string): Names {
  if (!/^[\w-]{1,64}$/u.test(name)) {
    throw new TypeError(
      `"${name}" cannot name a storage at a NATS server: use at most 64 letters, digits, "-" and "_".`,
    )
  }
  const records = (token: string) => `$KV.${name}.${token}`
  return {
    ...{ logs: name, records: `KV_${name}`, objects: `OBJ_${name}` },
    subjects: {
      logs: `${name}.log.*`,
      records: records('>'),
      objects: [`$O.${name}.C.>`, `$O.${name}.M.>`],
    },
    log: (sessionId) => `${name}.log.${tokenOf(sessionId)}`,
    record: (sessionId) => records(tokenOf(sessionId)),
    line: (sessionId) => `${name}.line.${tokenOf(sessionId)}`,
    holder: (id) => `${name}.holder.${id}`,
    delivery: (id) => `${name}.delivery.${id}`,
    chunks: (id) => `$O.${name}.C.${id}`,
    object: (id) => `$O.${name}.M.${btoa(id).replaceAll('+', '-').replaceAll('/', '_')}`,
  }
}

/** A server ends a connection that sends a longer subject than about 4,000 characters. */
const mostChars = 1000

/** Any text as one token of a subject: characters that a token cannot hold become `=` and four hex digits. */
function tokenOf(text: string): string {
  const token = text.replaceAll(
    /[^A-Za-z0-9_-]/g,
    (unit) => `=${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (token.length > mostChars) {
    throw new TypeError(
      `The name of the session is too long for a NATS server: it has ${token.length} characters as a subject, at most ${mostChars} are possible.`,
    )
  }
  return token === '' ? '=' : token
}

/** The text of which a subject ends with the token. */
export function textOf(subject: string): string {
  const token = subject.slice(subject.lastIndexOf('.') + 1)
  return token.replaceAll(/=([0-9a-f]{4})?/g, (_, code?: string) =>
    code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

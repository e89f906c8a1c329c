import { readFile } from 'node:fs/promises'
import type { FleetConnection } from '../wire/connection.ts'
import { payloadProblem } from '../wire/link.ts'
import { messageOf } from '../wire/message-of.ts'

/** What a process uses of a connection, in addition to what a page does. */
export interface ProcessConnection extends FleetConnection {
  /** Resolves when the server has received all that was sent. */
  readonly flush: () => Promise<void>
  /** Sends what is left, and ends. */
  readonly drain: () => Promise<void>
}

/** Connects to a NATS server, and again for as long as this process runs. Rejects with an `Error` that says what to do. */
export async function connectToNats(
  address: string,
  creds: string | undefined,
): Promise<ProcessConnection> {
  const { connect, credsAuthenticator } = await loadClient()
  const { NATS_USER: user, NATS_PASSWORD: pass, NATS_TOKEN: token } = process.env
  const connection = await connect({
    servers: address,
    name: 'offthread-tools',
    maxReconnectAttempts: -1,
    // A page waits for three signs of life only.
    reconnectTimeWait: 500,
    ...(user !== undefined && { user }),
    ...(pass !== undefined && { pass }),
    ...(token !== undefined && { token }),
    ...(creds !== undefined && { authenticator: credsAuthenticator(await readFile(creds)) }),
  }).catch((cause: unknown) => {
    throw new Error(
      `There is no connection to the NATS server at ${address} (${messageOf(cause)}). Check its address, that it runs, and NATS_USER and NATS_PASSWORD, NATS_TOKEN or --creds.`,
      { cause },
    )
  })
  const problem = payloadProblem(connection.info?.max_payload ?? Number.POSITIVE_INFINITY)
  if (problem === undefined) return connection
  await connection.close()
  throw new Error(problem)
}

async function loadClient() {
  try {
    return await import('@nats-io/transport-node')
  } catch (cause) {
    throw new Error(
      `@nats-io/transport-node could not be loaded: npm install @nats-io/transport-node (${messageOf(cause)})`,
      { cause },
    )
  }
}

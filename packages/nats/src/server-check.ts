import { StorageError } from '@offthread/core/storage'
import { mostBytesOf, type NatsConnection } from './connection.ts'
import { NoAnswer } from './failure-of.ts'
import { askOnce } from './jetstream-api.ts'
import type { Link } from './link.ts'

/** The first version that finds the next message of a subject, and creates consumers as they are created here. */
const oldest = { major: 2, minor: 9 }

/** Rejects if the server cannot keep sessions. */
export async function checkServer(
  { info }: Pick<NatsConnection, 'info'>,
  ask: Link['ask'],
): Promise<void> {
  const [major = 0, minor = 0] = (info?.version ?? '').split('.').map(Number)
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor)) {
    throw new StorageError(
      'unavailable',
      `The server is nats-server ${info?.version}, which is too old. Update it to ${oldest.major}.${oldest.minor} or newer.`,
    )
  }
  mostBytesOf(info)
  await askOnce({ ask }, { subject: '$JS.API.INFO', data: '' }).catch((error: unknown) => {
    const isOff = error instanceof NoAnswer && error.why === 'none' && info?.jetstream !== true
    throw isOff ? withoutJetStream() : error
  })
}

function withoutJetStream(): StorageError {
  return new StorageError(
    'unavailable',
    'The NATS server runs without JetStream, which keeps the sessions. Start it with "--jetstream", or add "jetstream { store_dir: … }" to its configuration.',
  )
}

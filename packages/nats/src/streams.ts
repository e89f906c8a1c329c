import type { JsonObject } from '@offthread/core'
import { StorageError } from '@offthread/core/storage'
import { leastMessageBytes } from './connection.ts'
import { ApiError, noStream } from './failure-of.ts'
import { isObject } from './is-object.ts'
import { type Answer, askApi, numberIn } from './jetstream-api.ts'
import type { Link } from './link.ts'
import type { Names } from './names.ts'

/** The streams of a storage at the server. Each is created when it is first used. */
export interface Streams {
  /** Resolves when the stream of the logs and the bucket of the records are there. */
  readonly sessions: () => Promise<unknown>
  /** Resolves when the object store is there. */
  readonly objects: () => Promise<unknown>
  /** The most bytes of a message of a log, as far as the stream states it. */
  readonly limit: () => number
}

export function createStreams(link: Link, names: Names, replicas: number): Streams {
  const { subjects } = names
  const ensure = (config: StreamConfig) => ensureStream(link, { ...lasting, ...config })
  const shared = { num_replicas: replicas }
  let limit = Number.POSITIVE_INFINITY

  async function logs(): Promise<void> {
    const config = await ensure({ ...shared, name: names.logs, subjects: [subjects.logs] })
    const most = numberIn(config, 'max_msg_size')
    if (most > 0) limit = most
  }

  return {
    limit: () => limit,
    sessions: once(() =>
      Promise.all([
        logs(),
        ensure({
          ...{ ...shared, name: names.records, subjects: [subjects.records] },
          ...{ max_msgs_per_subject: 1, allow_rollup_hdrs: true },
        }),
      ]),
    ),
    objects: once(() =>
      ensure({
        ...{ ...shared, name: names.objects, subjects: subjects.objects },
        allow_rollup_hdrs: true,
      }),
    ),
  }
}

interface StreamConfig extends JsonObject {
  readonly name: string
}

/** A full stream refuses what is new. By default it would drop what is old. */
const lasting = { retention: 'limits', storage: 'file', discard: 'new' } as const

/** Creates the stream if it is missing. Resolves with its configuration. */
async function ensureStream(link: Link, wanted: StreamConfig): Promise<Answer> {
  const found = await findStream(link, wanted.name)
  if (found) return found
  try {
    return configIn(await askApi(link, `STREAM.CREATE.${wanted.name}`, wanted))
  } catch (error) {
    // When two devices create the stream at the same moment, the server tells the second one that the subjects are
    // taken.
    const created = await findStream(link, wanted.name)
    if (!created) throw error
    return created
  }
}

/** Resolves with the configuration of the stream; `null`: there is none. */
async function findStream(link: Link, name: string): Promise<Answer | null> {
  try {
    const config = configIn(await askApi(link, `STREAM.INFO.${name}`))
    checkConfig(name, config)
    return config
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function configIn({ config }: Answer): Answer {
  return isObject(config) ? config : {}
}

/** Throws for a stream that would lose events by itself, or that takes none. */
function checkConfig(name: string, config: Answer): void {
  const most = numberIn(config, 'max_msg_size')
  if (most > 0 && most < leastMessageBytes) {
    throw new StorageError(
      'unavailable',
      `The stream "${name}" takes at most ${most} bytes in one message, which is too little for sessions. Take the limit away: nats stream edit ${name} --max-msg-size -1`,
    )
  }
  if (numberIn(config, 'max_age') === 0 && config['discard'] === 'new') return
  throw new StorageError(
    'unavailable',
    `The stream "${name}" drops old messages by itself, and with them events of sessions. Set it to "discard: new" without max_age: nats stream edit ${name} --discard new --max-age 0`,
  )
}

function isMissing(thrown: unknown): boolean {
  const cause = thrown instanceof StorageError ? thrown.cause : thrown
  return cause instanceof ApiError && cause.number === noStream
}

/** The work is done once, and again only after a failure. */
function once(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | null = null
  return () => {
    done ??= work().catch((error: unknown) => {
      done = null
      throw error
    })
    return done
  }
}

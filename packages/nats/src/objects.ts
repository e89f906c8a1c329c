import { digestOf, StorageError, tryJson } from '@offthread/core/storage'
import { mostBytesOf } from './connection.ts'
import { isObject } from './is-object.ts'
import { askApi, bytesIn, numberIn, textIn } from './jetstream-api.ts'
import type { Link } from './link.ts'
import type { Deliveries } from './messages.ts'
import type { Names } from './names.ts'
import { publish } from './publish.ts'
import type { Streams } from './streams.ts'

/** Bytes at the server, as its object store keeps them. */
export interface Objects {
  /** Resolves with the name of the object. */
  readonly put: (data: Blob) => Promise<string>
  /** Rejects as `damaged` for bytes that are not those which were put. */
  readonly get: (id: string) => Promise<Blob>
  readonly remove: (id: string) => Promise<void>
}

export interface ObjectOptions {
  readonly link: Link
  readonly names: Names
  readonly streams: Streams
  readonly deliveries: Deliveries
  readonly newId: () => string
}

const chunkBytes = 128 * 1024
/** How many chunks may be under way at once. */
const window = 8

export function createObjects(options: ObjectOptions): Objects {
  const { link, names, streams, deliveries, newId } = options
  const purge = (filter: string) => askApi(link, `STREAM.PURGE.${names.objects}`, { filter })

  async function putChunks(id: string, data: Blob): Promise<number> {
    const { info } = await link.open()
    const size = Math.min(chunkBytes, mostBytesOf(info) >> 1)
    const count = Math.ceil(data.size / size)
    const sent: Promise<number>[] = []
    for (let index = 0; index < count; index += 1) {
      const bytes = await data.slice(index * size, (index + 1) * size).arrayBuffer()
      const chunk = { subject: names.chunks(id), data: new Uint8Array(bytes) }
      // Chunks arrive in the order in which they are sent only if none is sent again. So each waits for the window
      // before it.
      if (index % window === 0) await Promise.all(sent)
      sent.push(publish(link, { ...chunk, id: `${id}.${index}` }))
    }
    const places = await Promise.all(sent)
    if (places.every((place, index) => place > (places[index - 1] ?? 0))) return count
    throw new StorageError('unknown', 'The parts of a file came to the NATS server out of order.')
  }

  return {
    put: async (data) => {
      await streams.objects()
      const id = newId()
      try {
        const [chunks, digest] = await Promise.all([putChunks(id, data), digestOf(data)])
        const described = { name: id, bucket: names.logs, nuid: id, size: data.size, chunks }
        const text = JSON.stringify({ ...described, digest: `SHA-256=${base64(digest)}` })
        const message = { subject: names.object(id), data: new TextEncoder().encode(text) }
        await publish(link, { ...message, id, header: 'Nats-Rollup: sub' })
      } catch (error) {
        void purge(names.chunks(id)).catch(() => {})
        throw error
      }
      return id
    },
    get: async (id) => {
      await streams.objects()
      const query = { last_by_subj: names.object(id) }
      const { message } = await askApi(link, `STREAM.MSG.GET.${names.objects}`, query)
      const described = tryJson(isObject(message) ? bytesIn(message, 'data') : '')
      const { chunks, digest } = isObject(described)
        ? { chunks: numberIn(described, 'chunks'), digest: textIn(described, 'digest') }
        : { chunks: -1, digest: '' }
      const wanted = { stream: names.objects, subject: names.chunks(id), from: 1 }
      const parts = chunks > 0 ? await deliveries.collect(wanted) : []
      const data = new Blob(parts.map((part) => new Uint8Array(part.data)))
      if (parts.length !== chunks || digest !== `SHA-256=${base64(await digestOf(data))}`) {
        throw damaged(id)
      }
      return data
    },
    remove: async (id) => {
      await streams.objects()
      await purge(names.object(id))
      await purge(names.chunks(id))
    },
  }
}

/** Turns hex digits into the form in which the object store writes a digest. */
function base64(hex: string): string {
  const bytes = hex.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_')
}

function damaged(id: string): StorageError {
  return new StorageError(
    'damaged',
    `The stored file ${id} is not what was stored: the server has lost or changed it. The rest of the session is as it was.`,
  )
}

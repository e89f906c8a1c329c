import { expect, test } from 'vitest'
import { log } from '../../core/src/storage/storage.contract.ts'
import type { NatsConnection, NatsMessage } from './connection.ts'
import { type LogHeader, nothing } from './log-message.ts'
import { nats } from './nats.ts'

/** More requests than any honest server needs for one of these. */
const mostRequests = 500

test.each([4095, 1024, 512, 0, -1])(
  '[K7] a server that takes only %j bytes after a while is named, and nothing counts as stored',
  async (most) => {
    const server = serverThat(() => ({}))
    const storage = nats(server)
    await storage.append('s', { head: 0, epoch: 0 }, log(1))
    const stored = server.stored()

    server.info.max_payload = most
    const append = storage.append('s', { head: 1, epoch: 0 }, log(9).slice(1))

    await expect(append).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(storage.writeBytes('s', 'a', new Blob(['x'.repeat(9000)]))).rejects.toMatchObject({
      kind: 'unavailable',
    })
    expect(server.stored()).toBe(stored)
  },
)

test('a server that always says that the session has changed gets a claim refused, and no requests for ever', async () => {
  const server = serverThat((subject) =>
    subject.includes('.log.') ? { error: { err_code: 10_071, description: 'wrong' } } : {},
  )

  await expect(nats(server).claim('s', 'take')).rejects.toMatchObject({ kind: 'conflict' })
})

test('a server that answers with what is no base64 is named', async () => {
  const server = serverThat((subject) =>
    subject.includes('MSG.GET') ? { message: { seq: 1, hdrs: '%', data: '%' } } : {},
  )
  const storage = nats(server)

  for (const reading of [storage.read('s'), storage.readBytes('s', 'a'), storage.list('s')]) {
    await expect(reading).rejects.toMatchObject({ name: 'StorageError', kind: 'unknown' })
  }
})

test('a server that finds an earlier message than it is asked for is not searched for ever', async () => {
  const server = serverThat((subject, query) => {
    if (!subject.includes('MSG.GET')) return {}
    return 'last_by_subj' in query
      ? storedAt(100_000, { ...nothing, head: 100_000 })
      : storedAt(1, { ...nothing, head: 1 })
  })

  await expect(nats(server).read('s', 50_000)).rejects.toMatchObject({ kind: 'damaged' })
})

type Fields = { readonly [name: string]: unknown }

/** A server whose answers are made of what is asked, and that has one record. It answers with an error when it is asked too often. */
function serverThat(answers: (subject: string, query: Fields) => Fields) {
  const info = { version: '2.10.0', max_payload: 1_048_576, jetstream: true }
  let requests = 0
  let stored = 0
  let record: Fields | undefined
  const connection: NatsConnection = {
    info,
    request: async (subject, data) => {
      requests += 1
      if (requests > mostRequests) throw new Error('There were too many requests.')
      const isApi = subject.startsWith('$JS.')
      const text = typeof data === 'string' ? data : new TextDecoder().decode(data)
      const query: Fields = isApi && text !== '' ? JSON.parse(text) : {}
      const answer = answers(subject, query)
      if (subject.startsWith('$KV.')) record = { seq: stored + 1, data: btoa(text) }
      if (subject.includes('MSG.GET') && !('message' in answer)) {
        const isThere = record && subject.includes('.KV_')
        return reply(isThere ? { message: record } : { error: { err_code: 10_037 } })
      }
      if (!isApi && !('error' in answer)) stored += 1
      return reply({ config: { discard: 'new' }, seq: stored, ...answer })
    },
    publish: () => {},
    subscribe: () => ({ unsubscribe: () => {} }),
    status: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    closed: () => new Promise(() => {}),
  }
  return { connect: async () => connection, info, stored: () => stored }
}

function reply(answer: Fields): NatsMessage {
  const data = new TextEncoder().encode(JSON.stringify(answer))
  return { subject: '', data, respond: () => true }
}

function storedAt(seq: number, header: LogHeader): Fields {
  return {
    message: {
      seq,
      hdrs: btoa(`NATS/1.0\r\nOffthread: ${JSON.stringify({ v: 1, ...header })}\r\n`),
    },
  }
}

import { expect, test } from 'vitest'
import { ModelError } from '../port.ts'
import { boundEvents } from './bounded-events.ts'

const megabyte = new Uint8Array(1024 * 1024).fill(0x64)
const comment = new Uint8Array(1024 * 1024).fill(0x3a)
const end = (text: string): Uint8Array => new TextEncoder().encode(text)

test('[E20] a body of short events passes whole, and keeps its status and headers', async () => {
  const pieces = times(20, megabyte, end('\n'), end('\n'))

  const bounded = boundEvents(respond(pieces))

  expect(bounded.headers.get('content-type')).toBe('text/event-stream')
  expect(bounded.status).toBe(207)
  expect((await bounded.arrayBuffer()).byteLength).toBe(20 * (megabyte.length + 2))
})

test.each([['\r\r'], ['\r\n\r\n'], ['\r', '\n\r', '\n'], ['\n', '\r\n']])(
  '[E20] an event may end with %j',
  async (...ends) => {
    const pieces = times(20, megabyte, ...ends.map(end))

    const { byteLength } = await boundEvents(respond(pieces)).arrayBuffer()

    expect(byteLength).toBe(20 * (megabyte.length + ends.join('').length))
  },
)

test('[E15] an answer that has no body by its status stays as it is', () => {
  const response = new Response(null, { status: 204 })

  expect(boundEvents(response)).toBe(response)
})

test('[E14] calls back for every piece', async () => {
  let pieces = 0
  await boundEvents(respond([end('\n'), end('\n'), end('\n')]), () => (pieces += 1)).text()

  expect(pieces).toBe(3)
})

test.each([
  ['a line without an end', times(9, megabyte)],
  ['lines without an end', times(9, megabyte, end('\n'))],
  ['lines without an end, as Windows ends them', times(9, megabyte, end('\r\n'))],
  ['comments without an event', times(9, comment, end('\n\n'))],
  ['lines whose ends are torn', times(9, megabyte, end('\r'), end('\n'))],
  [
    'an event whose end is in its last piece',
    [...times(8, megabyte), concat(megabyte, end('\n\n'))],
  ],
])('[E20] %s is a protocol error', async (_, pieces) => {
  const error: unknown = await boundEvents(respond(pieces))
    .arrayBuffer()
    .catch((thrown: unknown) => thrown)

  if (!(error instanceof ModelError)) throw error
  expect(error.error).toMatchObject({ kind: 'protocol', retryable: true })
})

function times(count: number, ...pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  return Array.from({ length: count }, () => pieces).flat()
}

function respond(pieces: readonly Uint8Array[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  return new Response(body, { status: 207, headers: { 'content-type': 'text/event-stream' } })
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]))
}

import { expect, test } from 'vitest'
import { ModelError } from '../port.ts'
import { boundLines } from './bounded-lines.ts'

const megabyte = new Uint8Array(1024 * 1024).fill(0x61)
const newline = new Uint8Array([0x0a])

test('[E20] a body of short lines passes whole, and keeps its status and headers', async () => {
  const pieces = Array.from({ length: 20 }, () => [megabyte, newline]).flat()

  const bounded = boundLines(respond(pieces))

  expect(bounded.headers.get('content-type')).toBe('text/event-stream')
  expect(bounded.status).toBe(207)
  expect((await bounded.arrayBuffer()).byteLength).toBe(20 * (megabyte.length + 1))
})

test('[E20] a line of more than 8 MB is a protocol error, in however many pieces it comes', async () => {
  const pieces = Array.from({ length: 9 }, () => megabyte)

  const error: unknown = await boundLines(respond(pieces))
    .arrayBuffer()
    .catch((thrown: unknown) => thrown)

  if (!(error instanceof ModelError)) throw error
  expect(error.error).toMatchObject({ kind: 'protocol', retryable: true })
})

function respond(pieces: readonly Uint8Array[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  return new Response(body, { status: 207, headers: { 'content-type': 'text/event-stream' } })
}

import { expect, test } from 'vitest'
import { ModelError } from '../port.ts'
import { boundLines } from './bounded-lines.ts'

const megabyte = new Uint8Array(1024 * 1024).fill(0x61)
const newline = new Uint8Array([0x0a])
const carriageReturn = new Uint8Array([0x0d])

test('[E20] a body of short lines passes whole, and keeps its status and headers', async () => {
  const pieces = Array.from({ length: 20 }, () => [megabyte, newline]).flat()

  const bounded = boundLines(respond(pieces))

  expect(bounded.headers.get('content-type')).toBe('text/event-stream')
  expect(bounded.status).toBe(207)
  expect((await bounded.arrayBuffer()).byteLength).toBe(20 * (megabyte.length + 1))
})

test('[E20] lines may end with a carriage return alone', async () => {
  const pieces = Array.from({ length: 20 }, () => [megabyte, carriageReturn]).flat()

  expect((await boundLines(respond(pieces)).arrayBuffer()).byteLength).toBeGreaterThan(2 ** 24)
})

test('[E15] an answer that has no body by its status stays as it is', () => {
  const response = new Response(null, { status: 204 })

  expect(boundLines(response)).toBe(response)
})

test('[E14] calls back for every piece', async () => {
  let pieces = 0
  await boundLines(respond([newline, newline, newline]), () => (pieces += 1)).text()

  expect(pieces).toBe(3)
})

test.each([
  ['without an end', Array.from({ length: 9 }, () => megabyte)],
  [
    'whose end is in its last piece',
    [...Array.from({ length: 8 }, () => megabyte), concat(megabyte, newline)],
  ],
])('[E20] a line of more than 8 MB %s is a protocol error', async (_, pieces) => {
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

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]))
}

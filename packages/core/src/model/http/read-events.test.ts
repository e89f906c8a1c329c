import { expect, onTestFinished, test, vi } from 'vitest'
import { ModelError } from '../port.ts'
import { readEvents } from './read-events.ts'

const target = { host: 'model.test', model: 'm', redact: (text: string) => text }
const megabyte = `data: ${'d'.repeat(1024 * 1024)}`

test.each([['\n\n'], ['\r\r'], ['\r\n\r\n'], ['\r', '\n\r', '\n'], ['\n', '\r\n']])(
  'an event may end with %j, and there may be many',
  async (...ends) => {
    const events = await read(times(20, megabyte, ...ends))

    expect(events.map(({ length }) => length)).toEqual(times(20, 1024 * 1024))
  },
)

test('an event that never ends is a protocol error', async () => {
  const fragments = times(9, 'd'.repeat(1024 * 1024))

  for (const pieces of [
    ['data: ', ...fragments],
    fragments,
    ['data: ', ...fragments.slice(1), `${fragments[0]}${fragments[0]}\n\n`],
    times(9, megabyte, '\n'),
    times(9, megabyte, '\r\n'),
    times(9, megabyte, '\r', '\n'),
  ]) {
    const error: unknown = await read([...pieces, 'data: x']).catch((thrown: unknown) => thrown)

    if (!(error instanceof ModelError)) throw error
    expect(error.error).toMatchObject({ kind: 'protocol', retryable: true })
  }
})

test('comments may go on for ever: nothing of them is kept', async () => {
  const comment = `: ${'c'.repeat(1024 * 1024)}\n\n`

  expect(await read([...times(20, comment), 'data: x\n\n'])).toEqual(['x'])
})

test('[M5] every piece is a sign of life', async () => {
  let pieces = 0
  await read(['\n', ': waiting\n', 'data: x\n\n'], { onAlive: () => (pieces += 1) })

  expect(pieces).toBe(3)
})

test('[M8] the page may have its turn before the values of an event are counted, and before they are read', async () => {
  let turns = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    turns += 1
    return 0
  })
  onTestFinished(() => clock.mockRestore())
  const seen: number[] = []
  const note = ({ data }: { readonly data: string }) => {
    seen.push(turns)
    return { data }
  }

  await read(['data: a\n\ndata: b\n\n'], { read: note })

  expect((seen[1] ?? 0) - (seen[0] ?? 0)).toBe(2)
})

test.each([
  [['data: a\n\ndata: b\n'], ['a'], ['a']],
  [['data: a\n\ndata: "b"'], ['a'], ['a', '"b"']],
  [['data: a\n\ndata: "b'], ['a'], ['a']],
  [['data: 1\r\r'], ['1'], ['1']],
  [['data: a\n\ndata: [DONE]\n\ndata: b\n\n'], ['a'], ['a']],
])('the last event of %j counts if it has an end, or if it may lack it', async (...row) => {
  const [pieces, strict, lenient] = row

  expect(await read(pieces)).toEqual(strict)
  expect(await read(pieces, { mayEndOpen: true })).toEqual(lenient)
})

interface Options {
  readonly onAlive?: () => void
  readonly mayEndOpen?: boolean
  readonly read?: (event: { readonly data: string }) => { readonly data: string }
}

async function read(pieces: readonly string[], options: Options = {}): Promise<readonly string[]> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece))
      controller.close()
    },
  })
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  const events: string[] = []
  const reading = {
    ...{ target, signal: new AbortController().signal },
    read: ({ data }: { readonly data: string }) => ({ data }),
    ...options,
  }
  for await (const { data } of readEvents(response, reading)) events.push(String(data))
  return events
}

function times<Item>(count: number, ...items: readonly Item[]): readonly Item[] {
  return Array.from({ length: count }, () => items).flat()
}

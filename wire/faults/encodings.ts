import { type Reply, stream, write } from '../exchange.ts'
import { answer, eventsOf, type StreamEvent, text, toSse } from './answers.ts'

const spoken = answer('end', text('It is ', 'noon ', '🕛.'))

/** Unusual but legal ways to write a stream of events, and two illegal ones. */
export const encodings: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  ['E20-bom', written((events) => [`\uFEFF${events.map(toSse).join('')}`])],
  ['E20-crlf', written((events) => events.map((event) => toSse(event).replaceAll('\n', '\r\n')))],
  ['E20-cr', written((events) => events.map((event) => toSse(event).replaceAll('\n', '\r')))],
  ['E20-lines', written((events) => events.map(inManyLines))],
  [
    'E20-comments',
    written((events) => events.map((event) => `: keep-alive\n\n:\n${toSse(event)}`)),
  ],
  [
    'E20-no-space',
    written((events) => events.map((event) => toSse(event).replace('data: ', 'data:'))),
  ],
  ['E20-bytes', written((events) => bytesOf(events.map(toSse).join('')))],
  ['E20-latin', written((events) => [Buffer.from(events.map(toSse).join(''), 'latin1')])],
  ['E20-long-line', longLine],
  ['E20-long-event', longEvent],
])

function written(
  toPieces: (events: readonly StreamEvent[]) => readonly (string | Uint8Array)[],
): Reply {
  return (exchange) => stream(toPieces(eventsOf(spoken, exchange.protocol)))(exchange)
}

/** The data in several lines, which the reader joins with line breaks. */
function inManyLines({ event, data }: StreamEvent): string {
  if (!data.startsWith('{')) return toSse({ data })
  const lines = JSON.stringify(JSON.parse(data), null, 1).split('\n')
  const name = event === undefined ? '' : `event: ${event}\n`
  return `${name}${lines.map((line) => `data: ${line}\n`).join('')}\n`
}

function bytesOf(whole: string): readonly Uint8Array[] {
  return Array.from(Buffer.from(whole), (byte) => Buffer.from([byte]))
}

/** A line of ten million characters. */
async function longLine({ response, begin }: Parameters<Reply>[0]): Promise<void> {
  begin(200, { 'content-type': 'text/event-stream' })
  await write(response, 'data: {"type":"')
  for (let part = 0; part < 100; part += 1) await write(response, 'm'.repeat(100_000))
  response.end('"}\n\n')
}

/** An event of lines that goes on for as long as it is read. */
async function longEvent({ response, begin }: Parameters<Reply>[0]): Promise<void> {
  begin(200, { 'content-type': 'text/event-stream' })
  while (!response.destroyed) await write(response, `data: ${'m'.repeat(100_000)}\n`)
}

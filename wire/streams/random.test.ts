import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isObject } from '../../packages/core/src/internal/json.ts'
import { forgetFailures } from '../../packages/core/src/model/http/breaker.ts'
import { grammarErrors } from '../../packages/core/src/model/model.contract.ts'
import { ModelError } from '../../packages/core/src/model/port.ts'
import type { Protocol } from '../exchange.ts'
import { isWhole } from './effort.fixtures.ts'
import { failureOf, modelOver, type Reading, read, readFrom } from './read.fixtures.ts'
import { shapes } from './shapes.fixtures.ts'

const seed = Number(process.env['WIRE_SEED'] ?? (isWhole ? Date.now() : 4))
const numRuns = isWhole ? 4_000 : 200
/** Most fields are not read, or only in one kind of event. */
const manyRuns = 3 * numRuns
const protocols = [...new Set(shapes.map(({ protocol }) => protocol))]

describe.each(protocols)('%s', { timeout: 600_000 }, (protocol) => {
  test('random bytes never throw anything but the typed error', async () => {
    await holds(protocol, fc.uint8Array({ maxLength: 400 }))
  })

  test('a stream with changes in it never throws anything but the typed error', async () => {
    await holds(protocol, changed(protocol))
  })

  test('lines of random JSON never throw anything but the typed error', async () => {
    const line = fc.json().map((json) => `data: ${json}\n\n`)
    const lines = fc.array(line, { maxLength: 8 })
    await holds(
      protocol,
      lines.map((all) => encode(all.join(''))),
    )
  })

  test('[M2] [M3] answers of any status, type and body never throw anything but the typed error', async () => {
    const type = fc.constantFrom('text/event-stream', 'application/json', 'text/html', '', 'x/y; z')
    const header = fc.stringMatching(/^[\x21-\x7e]{0,12}$/)
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc.json().map(encode),
      changed(protocol),
    )
    const answers = fc.record({ status: fc.integer({ min: 200, max: 599 }), type, header, body })
    const property = fc.asyncProperty(answers, async (given) => {
      forgetFailures()
      judge(await readFrom(modelOver(protocol, async () => toResponse(given))))
    })
    await fc.assert(property, { numRuns, seed })
  })

  test('[M3] refusals with anything in each field are typed, and say little', async () => {
    const answers = fc.record({
      status: fc.constantFrom(200, 200, 400, 401, 422, 429, 500),
      type: fc.constantFrom('text/event-stream', 'application/json'),
      header: fc.constantFrom('', '5', '1e99', '-1', 'soon'),
      body: refusals.map(encode),
    })
    const property = fc.asyncProperty(answers, async (given) => {
      forgetFailures()
      const reading = await readFrom(modelOver(protocol, async () => toResponse(given)))
      judge(reading)
      expect(reading.chunks).toEqual([])
    })
    await fc.assert(property, { numRuns: manyRuns, seed })
  })

  test('[M2] [M3] [M9] events with random fields never throw anything but the typed error', async () => {
    await holds(protocol, corrupted(protocol), manyRuns)
  })
})

/** What a value of the JSON that a server sends may be, whatever it should be. */
const anything = fc.oneof(
  fc.json({ maxDepth: 2 }),
  fc.constantFrom('-0', '-1e-400', '1e400', '-1', '1e308'),
  fc.constantFrom('{"toString":1}', '[{"toString":1}]', '{"__proto__":{"a":1}}', '"__proto__"'),
  fc.constantFrom('"\\ud83c"', '""', '"overloaded_error"', '"invalid_api_key"', '404', '"529"'),
  fc.oneof(
    fc.constantFrom(100, 190, 300, 20_000).map((levels) => '['.repeat(levels) + ']'.repeat(levels)),
    fc.constantFrom(3_000, 60_000).map((count) => `[${'0,'.repeat(count)}0]`),
    fc.constantFrom(3_000, 400_000).map((length) => `"${'exceed '.repeat(length / 7)}"`),
  ),
)

/** Errors as JSON, in the shapes that occur, with anything in each field. */
const refusals = fc
  .dictionary(
    fc.constantFrom('type', 'code', 'message', 'detail', 'msg', 'loc', 'status', 'metadata', 'raw'),
    anything,
  )
  .map((fields) => Object.entries(fields).map(([name, value]) => `"${name}":${value}`))
  .chain((fields) =>
    fc.constantFrom(
      `{${fields.join()}}`,
      `{"error":{${fields.join()}}}`,
      `{"type":"error","error":{${fields.join()}}}`,
      `{"detail":[{${fields.join()}}]}`,
      `[{"error":{${fields.join()}}}]`,
      `event: error\ndata: {"error":{${fields.join()}}}\n\n`,
      `data: {"error":{${fields.join()}}}\n\n`,
    ),
  )

interface Given {
  readonly status: number
  readonly type: string
  readonly header: string
  readonly body: Uint8Array
}

function toResponse({ status, type, header, body }: Given): Response {
  const headers = {
    'content-type': type,
    'retry-after': header,
    'retry-after-ms': header,
    'request-id': header,
    'x-should-retry': header,
  }
  const isBodiless = status === 204 || status === 205 || status === 304
  return new Response(isBodiless ? null : new Uint8Array(body), { status, headers })
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

async function holds(
  protocol: Protocol,
  bodies: fc.Arbitrary<Uint8Array>,
  runs = numRuns,
): Promise<void> {
  const property = fc.asyncProperty(bodies, async (body) => {
    const reading = await read(protocol, [new Uint8Array(body)])
    judge(reading)
  })
  await fc.assert(property, { numRuns: runs, seed })
}

/** Whole answers or typed failures: no connection was lost and nothing is stored here, whatever came. */
function judge(reading: Reading): void {
  const { chunks, thrown } = reading
  // Throws if the failure has no type.
  const failure = failureOf(reading)
  expect(failure).not.toMatch(/^(network|storage|internal|cors|stalled)$/)
  expect(JSON.parse(JSON.stringify(chunks))).toStrictEqual(chunks)
  if (failure === 'none') expect(grammarErrors(chunks)).toEqual([])
  if (!(thrown instanceof ModelError)) return
  const { message, details } = thrown.error
  expect(message.length).toBeLessThan(1000)
  expect(JSON.parse(JSON.stringify(thrown.error))).toStrictEqual(thrown.error)
  for (const detail of Object.values(isObject(details) ? details : {}))
    expect(String(detail).length).toBeLessThanOrEqual(200)
}

/** A good stream with some bytes inserted, removed or replaced. */
function changed(protocol: Protocol): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat({ max: 30 }),
    added: fc.oneof(fc.uint8Array({ maxLength: 4 }), fc.constant(new Uint8Array())),
  })
  return fc
    .tuple(streams(protocol), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([text, changes]) => {
      let bytes = Array.from(new TextEncoder().encode(text))
      for (const { at, removed, added } of changes) {
        bytes = bytes.toSpliced(Math.floor(at * bytes.length), removed, ...added)
      }
      return Uint8Array.from(bytes)
    })
}

/** A good stream with some values replaced and some events repeated, removed or moved. */
function corrupted(protocol: Protocol): fc.Arbitrary<Uint8Array> {
  const value = fc.oneof(fc.constantFrom('null', '""', '{}', '[]', 'true'), anything)
  const change = fc.record({ at: fc.nat(), by: value })
  const move = fc.record({ from: fc.nat(), to: fc.nat(), isCopy: fc.boolean() })
  return fc
    .tuple(streams(protocol), fc.array(change, { maxLength: 6 }), fc.array(move, { maxLength: 2 }))
    .map(([text, changes, moves]) => {
      const events = text.split('\n\n')
      for (const { from, to, isCopy } of moves) {
        const [moved = ''] = events.splice(from % events.length, isCopy ? 0 : 1)
        events.splice(to % (events.length + 1), 0, moved)
      }
      return new TextEncoder().encode(changes.reduce(withOtherValue, events.join('\n\n')))
    })
}

/** Replaces one value of the JSON in a stream. */
function withOtherValue(text: string, { at, by }: { at: number; by: string }): string {
  const values = [...text.matchAll(/(?<=":)("[^"]*"|-?\d+|null|true|false)/g)]
  const value = values[at % Math.max(1, values.length)]
  if (!value) return text
  return `${text.slice(0, value.index)}${by}${text.slice(value.index + value[0].length)}`
}

function streams(protocol: Protocol): fc.Arbitrary<string> {
  const own = shapes.filter((shape) => shape.protocol === protocol)
  return fc.constantFrom(...own.map(({ bytes }) => new TextDecoder().decode(bytes)))
}

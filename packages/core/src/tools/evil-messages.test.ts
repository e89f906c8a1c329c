import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSaid } from '../agent/session/said-shapes.ts'
import { eventShapes } from '../runtime/event-shapes.ts'
import { evilMessage } from './fixtures/evil-messages.fixtures.ts'
import { type OwnSettlement, readWorkerMessage, type WorkerMessage } from './protocol.ts'
import { anyReturn, anyThrown, secret } from './result/any-return.fixtures.ts'
import { settleReturned, settleThrown } from './result/settle-returned.ts'

const executionId = 'e1'
const shapes = 500
/** A field has at most two million characters: an item of a list, for instance, has one and takes two looks. */
const mostLooks = 4_500_000

// Always the same shapes: a failure belongs to the change under test. EVIL_SEED tries others.
const seed = Number(process.env['EVIL_SEED'] ?? 1)

test('[I6] [I34] [I40] [W18] whatever a message holds, what is read of it is JSON of bounded size, in bounded time', () => {
  const found: string[] = []
  const count = { read: 0, tooBig: 0, most: 0 }

  for (let n = 0; n < shapes; n++) {
    const { name, message } = evilMessage(seed + n, executionId)
    const looks = { count: 0 }
    const read = readWorkerMessage(watched(structuredClone(message), looks), executionId)
    count.most = Math.max(count.most, looks.count)
    if (looks.count > mostLooks) found.push(`${name} took ${looks.count} looks`)
    if (!read) continue
    count.read += 1
    if (read.type === 'broken' && read.message.includes('message of more than')) count.tooBig += 1
    const why = problemWith(read) ?? problemAsEvent(read)
    if (why) found.push(`${name} ${why}`)
  }

  expect(found, `seed ${seed}`).toEqual([])
  // The generator reaches all three ends.
  expect(count.tooBig, `seed ${seed}`).toBeGreaterThan(0)
  expect(count.read - count.tooBig, `seed ${seed}`).toBeGreaterThan(0)
  expect(count.read, `seed ${seed}`).toBeLessThan(shapes)
})

test('[I6] [I19] [W18] [T2] whatever a tool returns, the page reads it as it is, and the model no details', async () => {
  const kinds = new Set<string>()
  const found: string[] = []

  for (const [n, make] of fc.sample(anyReturn, { seed, numRuns: shapes }).entries()) {
    const { value, hides } = make()
    const settlement = await settleReturned(value, { name: 'any', outputSchema: undefined })
    kinds.add(settlement.kind === 'threw' ? settlement.errorKind : settlement.kind)
    const why = problemWithSettlement(settlement)
    if (why) found.push(`shape ${n} ${why}: ${JSON.stringify(settlement).slice(0, 200)}`)
    if (hides && textOfEnd(settlement).includes(secret)) found.push(`shape ${n} shows its details`)
  }

  expect(found, `seed ${seed}`).toEqual([])
  expect([...kinds].toSorted()).toEqual(['failed', 'invalid_result', 'returned'])
})

test('[I6] [I19] [W18] [E21] whatever a tool throws, the page reads it as it is, and the model a text without details', () => {
  const found: string[] = []
  const thrown = fc.oneof(
    anyThrown.map((make) => () => ({ value: make(), hides: false })),
    anyReturn,
    fc.array(anyReturn, { minLength: 1, maxLength: 3 }).map((all) => () => {
      const inside = all.map((make) => make())
      const error = new AggregateError(inside.map(({ value }) => value))
      return { value: error, hides: inside.some(({ hides }) => hides) }
    }),
  )

  for (const [n, make] of fc.sample(thrown, { seed, numRuns: 2 * shapes }).entries()) {
    const { value, hides } = make()
    const settlement = settleThrown(value)
    if (hides && textOfEnd(settlement).includes(secret)) found.push(`shape ${n} shows its details`)
    const why = problemWithSettlement(settlement)
    if (why) found.push(`shape ${n} ${why}: ${JSON.stringify(settlement).slice(0, 200)}`)
    if (textOfEnd(settlement).trim() === '') found.push(`shape ${n} says nothing`)
  }

  expect(found, `seed ${seed}`).toEqual([])
})

/** What is wrong with a message as the event that is made of it: no log with such an event can be opened again. */
function problemAsEvent(read: WorkerMessage): string | null {
  const type = eventTypes[read.type]
  if (!type) return null
  const named = { toolCallId: 't', toolName: 'n' }
  if (read.type === 'custom' && read.durable) {
    return eventShapes.tool_custom({ ...read, ...named, durable: true })
  }
  const { durable: _, partial: partialResult, progress, ...fields } = { ...nothing, ...read }
  const envelope = { v: 1, seq: 3, sub: 9, ts: 0, sessionId: 's', runId: null, turn: 0 }
  const event = { ...fields, ...named, ...progress, partialResult, ...envelope, type }
  const posted = { say: 'live', after: { seq: 3, sub: 8 }, events: [event] }
  return isSaid(posted) ? null : 'is no event'
}

const eventTypes: { readonly [type: string]: string } = {
  update: 'tool_execution_update',
  progress: 'tool_progress',
  log: 'tool_log',
  custom: 'tool_custom',
}
const nothing = { durable: false, partial: undefined, progress: {} }

function problemWithSettlement(settlement: OwnSettlement): string | null {
  const message: WorkerMessage = { type: 'settled', executionId, settlement }
  const read = readWorkerMessage(message, executionId)
  if (!isDeepStrictEqual(read, message)) return 'is not read as it was posted'
  return problemWith(message)
}

/** All that the model may read of it. */
function textOfEnd(settlement: OwnSettlement): string {
  return settlement.kind === 'threw'
    ? settlement.message
    : JSON.stringify(settlement.result.content)
}

function problemWith(read: WorkerMessage): string | null {
  const { json, images } = withoutBytes(read)
  const text = JSON.stringify(json)
  if (!isDeepStrictEqual(JSON.parse(text), json)) return 'is not JSON'
  // Text, two fields of data and the lines of a log, each in full, and what is around them.
  if (text.length > 4_200_000) return `has ${text.length} characters`
  return images.some((data) => data.length > 5_000_000) ? 'has a giant image' : null
}

/** A message as it goes into events: bytes have a place of their own there. Data of images may be long. */
function withoutBytes(read: WorkerMessage): { json: unknown; images: readonly string[] } {
  const images: string[] = []
  const isResult = read.type === 'settled' && read.settlement.kind === 'returned'
  const strip = (value: unknown): unknown => {
    if (isResult && value instanceof ArrayBuffer) return 'bytes'
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const isImage = Reflect.get(value, 'type') === 'image'
    return Object.fromEntries(
      entries.map(([key, field]) => {
        if (!isImage || key !== 'data') return [key, strip(field)]
        images.push(String(field))
        return [key, '']
      }),
    )
  }
  return { json: strip(read), images }
}

/** Counts each look at a field or an item of it, at any depth. */
function watched(value: unknown, looks: { count: number }): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ArrayBuffer) return value
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain) return value
  return new Proxy(value, {
    get: (target, key) => {
      looks.count += 1
      return watched(Reflect.get(target, key), looks)
    },
  })
}

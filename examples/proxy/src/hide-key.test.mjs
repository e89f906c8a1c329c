import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  nat,
  oneof,
  record,
  string,
} from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyHider } from './hide-key.mjs'
import { ask, listen, startProxy } from './servers.fixtures.mjs'

const keys = [
  'sk-canary-of-the-server-4567',
  'sk-ant-api03-Zq8xW1_vT5-nRb7Yc3JdLf0MgHk2PsEu6AiOoXt9Vw4SyNhBj1QmDzKa-eU7rC5lGp8FQAA',
  'gsk/0a1B+2c3D=x9',
  'r8/Zt+0a1B2c/3D4e+5F6g7H==',
]

/**
 * How an answer quotes the key.
 *
 * @typedef {'body' | 'text' | 'lines' | 'escaped' | 'name' | 'address' | 'deltas' | 'arguments' | 'calls' | 'header'} Form
 */

const forms = /** @type {const} */ ([
  ...['body', 'text', 'lines', 'escaped', 'name', 'address'],
  ...['deltas', 'arguments', 'calls', 'header'],
])
const quote = record({
  key: constantFrom(...keys),
  form: constantFrom(...forms),
  status: constantFrom(200, 400, 403, 429, 500, 529),
  before: string({ unit: 'grapheme', maxLength: 40 }),
  after: string({ unit: 'grapheme', maxLength: 40 }),
  cuts: array(nat({ max: 20 }), { maxLength: 40 }),
})

test('[SEC-K7] a key that the provider quotes does not pass, however it is quoted and cut', async () => {
  const upstream = await startUpstream()
  await assert(
    asyncProperty(quote, async ({ key, form, status, before, after, cuts }) => {
      const isHeader = form === 'header'
      const text = isHeader ? key : before + key + after
      upstream.answer = {
        status,
        pieces: cut(written(form, text, cuts), cuts),
        headers: isHeader ? { 'request-id': `req_${key}`, 'retry-after': key } : {},
      }

      const response = await ask(upstream.proxyOf(key))
      const seen = await response.text()

      expect(response.status).toBe(status)
      const headers = [...response.headers].map(([, value]) => value)
      const read = isHeader ? headers.join('\n') : readText(form, seen)
      expect(longestPiece(read, key)).toBeLessThanOrEqual(shownOf(key))
      if (isHeader) expect(response.headers.get('request-id')).toMatch(/^req_/)
      else expect([read.startsWith(before), read.endsWith(after)]).toEqual([true, true])
    }),
    { numRuns: 300 },
  )
})

/** What a search for texts, lines and keys could trip over. */
const odd = [
  ...keys.map((key) => Buffer.from(key).toString('base64')),
  ...['"', '\\', '"\\"', '\r', '\r\n', '":"', 'sk-ant-api03-', 'sk-', '\uFEFF', '%', '%2'],
]

test('[SEC-K7] a key that the provider quotes in UTF-16 does not pass', async () => {
  const upstream = await startUpstream()
  for (const key of keys) {
    const body = Buffer.from(JSON.stringify({ error: { message: `Unknown: ${key}` } }), 'utf16le')
    for (const text of [body.toString(), body.swap16().toString()]) {
      upstream.answer = { status: 400, pieces: cut(text, [7]), headers: {} }

      const seen = await (await ask(upstream.proxyOf(key))).text()

      expect(seen.replaceAll('\0', '')).toMatch(/Unknown: [^*]{8,16}\*/)
    }
  }
})

test('[SEC-K7] an answer without the key arrives as it was, and base64 is not guessed at', async () => {
  const upstream = await startUpstream()
  const part = oneof(string({ unit: 'binary' }), string(), constantFrom(...odd))
  const answer = record({ parts: array(part), asJson: boolean() })
  const cuts = array(nat({ max: 20 }), { maxLength: 40 })
  await assert(
    asyncProperty(answer, cuts, async ({ parts, asJson }, at) => {
      const text = parts.join('"')
      const written = asJson ? `data: ${JSON.stringify({ text, list: [text] })}\n\n` : text
      const body = Buffer.from(written).toString()
      upstream.answer = { status: 200, pieces: cut(body, at), headers: {} }

      const response = await ask(upstream.proxyOf(keys[0] ?? ''))

      expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(body)
    }),
    { numRuns: 200 },
  )
})

test('[SEC-K7] an answer of one long line is bounded in memory and time', async () => {
  const upstream = await startUpstream()
  for (const piece of ['"', '"\\', 'x', '"a":', 's', '\\', '\\u00', '%41']) {
    const body = piece.repeat(800_000 / piece.length)
    upstream.answer = { status: 200, pieces: [body], headers: {} }

    const response = await ask(upstream.proxyOf(keys[0] ?? ''))

    expect(await response.text()).toBe(body)
  }
})

test('[SEC-K7] an answer of many names is bounded in memory', () => {
  setFlagsFromString('--expose-gc')
  /** @type {() => void} */
  const collect = runInNewContext('gc')
  const hider = createKeyHider(keys[0] ?? '')
  const write = (/** @type {number} */ n) => hider.write(Buffer.from(`{"name${n}":"s"}\n`))
  for (let n = 0; n < 2000; n += 1) write(n)
  collect()
  const before = process.memoryUsage().heapUsed

  for (let n = 0; n < 30_000; n += 1) write(n)

  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000)
  expect(hider.end()).toBe('')
})

/** A provider that answers as the test says, and a proxy for each key. */
async function startUpstream() {
  const given = {
    /** @type {{ status: number, pieces: readonly Uint8Array[] | readonly string[], headers: Record<string, string> }} */
    answer: { status: 200, pieces: [], headers: {} },
    proxyOf: (/** @type {string} */ key) => proxies.get(key) ?? '',
  }
  const address = await listen((request, response) => {
    const { status, pieces, headers } = given.answer
    request.resume()
    response.writeHead(status, headers)
    const [...left] = pieces
    const writeNext = () => {
      const piece = left.shift()
      if (piece === undefined) response.end()
      else response.write(piece, () => setImmediate(writeNext))
    }
    writeNext()
  })
  /** @type {Map<string, string>} */
  const proxies = new Map()
  for (const key of keys) {
    const { proxy } = await startProxy('', { upstreams: { anthropic: { baseURL: address, key } } })
    proxies.set(key, proxy)
  }
  return given
}

/** @param {Form} form @param {string} text @param {readonly number[]} cuts */
function written(form, text, cuts) {
  switch (form) {
    case 'body':
      return JSON.stringify({ type: 'error', error: { type: 'x', message: text } })
    case 'lines':
      return JSON.stringify({ error: { message: text } }, null, 2).replaceAll('/', '\\/')
    case 'escaped':
      return `{"message":"${[...text].map((one) => escapeCharacter(one)).join('')}"}`
    case 'name':
      return JSON.stringify({ [text]: 1 })
    case 'address':
      return written('deltas', addressOf(text, cuts), cuts)
    case 'deltas':
      return cutText(text, cuts)
        .map((delta) => eventOf({ delta: { text: delta } }))
        .join('')
    case 'arguments':
    case 'calls':
      return cutText(argumentsOf(text, cuts), cuts)
        .map((delta) => eventOf({ index: 0, delta: { partial_json: delta } }))
        .join(form === 'calls' ? eventOf({ index: 1, delta: { partial_json: 'x' } }) : '')
    default:
      return text
  }
}

/** @param {object} event */
function eventOf(event) {
  return `event: x\ndata: ${JSON.stringify({ type: 'x', ...event })}\n\n`
}

/** JSON in which some characters are escapes, or all. @param {string} text @param {readonly number[]} cuts */
function argumentsOf(text, cuts) {
  const escaped = [...text].map((one, at) =>
    one > '~' || /["\\]/.test(one) || (cuts[at % cuts.length] ?? 0) % 3 < 2
      ? escapeCharacter(one)
      : one.replace('/', '\\/'),
  )
  return `{"text":"${escaped.join('')}"}`
}

/** As addresses have it, with small or capital digits. @param {string} text @param {readonly number[]} cuts */
function addressOf(text, cuts) {
  const address = encodeURIComponent(text)
  return cuts.length % 2 ? address : address.replace(/%../g, (one) => one.toLowerCase())
}

/** What a page makes of it. @param {Form} form @param {string} body @returns {string} */
function readText(form, body) {
  const texts = /** @type {string[]} */ ([])
  const keep = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    if (form === 'name') texts.push(name)
    else if (name === 'message' || name === 'text') texts.push(String(value))
    return value
  }
  if (form === 'text') return body
  if (form === 'address') return decodeURIComponent(readText('deltas', body))
  if (form === 'arguments' || form === 'calls') return readArguments(body)
  const documents = form === 'deltas' ? body.matchAll(/^data: ([^\n]*)$/gm) : [['', body]]
  for (const [, json = ''] of documents) JSON.parse(json, keep)
  return texts.join('')
}

/** @param {string} body */
function readArguments(body) {
  let json = ''
  for (const [, text = ''] of body.matchAll(/^data: ([^\n]*)$/gm)) {
    /** @type {{ index: number, delta: { partial_json: string } }} */
    const { index, delta } = JSON.parse(text)
    if (index === 0) json += delta.partial_json
  }
  /** @type {{ text: string }} */
  const { text } = JSON.parse(json)
  return text
}

/** @param {string} character */
function escapeCharacter(character) {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}

/** @param {string} text @param {readonly number[]} cuts */
function cutText(text, cuts) {
  const pieces = []
  let from = 0
  for (const length of cuts) {
    pieces.push(text.slice(from, from + length))
    from += length
  }
  return [...pieces, text.slice(from)]
}

/** Also inside of characters. @param {string} text @param {readonly number[]} cuts */
function cut(text, cuts) {
  const bytes = Buffer.from(text)
  const pieces = []
  let from = 0
  for (const length of cuts) {
    pieces.push(bytes.subarray(from, from + length))
    from += length
  }
  return [...pieces, bytes.subarray(from)]
}

/** @param {string} text @param {string} key */
function longestPiece(text, key) {
  for (let length = key.length; length > 0; length -= 1) {
    for (let at = 0; at + length <= key.length; at += 1) {
      if (text.includes(key.slice(at, at + length))) return length
    }
  }
  return 0
}

/** How much of a key may be read. @param {string} key */
function shownOf(key) {
  return Math.min(16, Math.max(8, key.length / 4))
}

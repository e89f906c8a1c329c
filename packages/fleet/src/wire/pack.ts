import { isObject } from './is-object.ts'

/** The most that one message of a call has: its JSON and its files. */
export const maxMessageBytes = 32_000_000
const maxJsonBytes = 8_000_000
const maxValues = 100_000
const maxDepth = 210
const maxFiles = 1000

type Bytes = Blob | ArrayBuffer
type Path = readonly (string | number)[]

/** A message that can be sent. Blobs are not read yet. */
export interface PackedMessage {
  readonly json: Uint8Array
  readonly files: readonly Bytes[]
}

/**
 * Makes JSON of a message, with the files in it beside it, since JSON has no bytes. Throws a `TypeError` that says where a
 * message holds what is neither, and a `RangeError` that says the limit and how much there was. Takes a bounded time for
 * any message: the code of a tool may have written it.
 */
export function packMessage(message: unknown): PackedMessage {
  const files: { readonly path: Path; readonly bytes: Bytes }[] = []
  const pay = createBudget()
  const walk = (value: unknown, path: Path): unknown => {
    if (path.length > maxDepth) throw new TypeError(`${at(path.slice(0, 5))} is nested too deeply.`)
    if (value instanceof ArrayBuffer || value instanceof Blob) {
      pay(fileValues + path.length)
      files.push({ path, bytes: value })
      return null
    }
    if (Array.isArray(value)) {
      pay(value.length || 1)
      return Array.from(value, (item: unknown, index) => walk(item, [...path, index]))
    }
    if (isPlainObject(value)) {
      const fields = Object.entries(value)
      // Fields that are left out take time, too. An empty object takes as much room as one with a single value.
      pay(fields.length || 1)
      const kept = fields.filter(([, field]) => field !== undefined)
      for (const [key] of kept) pay(0, key.length)
      return Object.fromEntries(kept.map(([key, field]) => [key, walk(field, [...path, key])]))
    }
    if (typeof value === 'string') pay(0, value.length)
    else if (!isScalar(value)) throw new TypeError(`${at(path)} is ${kindOf(value)}: ${onlyText}`)
    return value
  }
  const plain = walk(message, [])
  const entries = files.map(({ path, bytes }) => [path, sizeOf(bytes), typeOf(bytes)])
  const json = new TextEncoder().encode(JSON.stringify({ message: plain, files: entries }))
  checkSizes(json, files)
  return { json, files: files.map(({ bytes }) => bytes) }
}

/** How many values each file adds in the list of files, beside its path. */
const fileValues = 4
/** How many values stand around the message. */
const outerValues = 3

/** Counts each value before it is walked: one list that stands in many places is small to post, but endless as JSON. */
function createBudget(): (values: number, chars?: number) => void {
  let values = outerValues
  let chars = 0
  return (moreValues, moreChars = 0) => {
    values += moreValues
    chars += moreChars
    if (values > maxValues) throw beyond(`Its data has ${values} values`, maxValues)
    if (chars > maxMessageBytes) throw beyondJson(chars)
  }
}

/**
 * The bytes of a packed message: the length of its JSON, its JSON, its files. A promise only if a Blob has to be read.
 */
export function bytesOf({ json, files }: PackedMessage): Uint8Array | Promise<Uint8Array> {
  const head = new Uint8Array(4)
  new DataView(head.buffer).setUint32(0, json.length)
  const buffers = files.filter((file) => file instanceof ArrayBuffer)
  if (buffers.length === files.length) {
    return concat([head, json, ...buffers.map((buffer) => new Uint8Array(buffer))])
  }
  return Promise.all(files.map(readFile)).then((read) => concat([head, json, ...read]))
}

/** Reads what `bytesOf` made. `undefined` for all else. Takes a bounded time for any bytes. */
export function unpackMessage(bytes: Uint8Array): unknown {
  if (bytes.length < 4) return undefined
  const jsonLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const json = bytes.subarray(4, 4 + jsonLength)
  if (json.length !== jsonLength || jsonLength > maxJsonBytes || isTooMuch(json)) {
    return undefined
  }
  const packed = tryJson(json)
  const entries = isObject(packed) ? packed['files'] : undefined
  if (!isObject(packed) || !Array.isArray(entries) || entries.length > maxFiles) return undefined
  let start = 4 + jsonLength
  for (const entry of entries) {
    const file = readEntry(entry, bytes.subarray(start))
    if (!file || !putBack(packed, ['message', ...file.path], file.bytes)) return undefined
    start += file.size
  }
  return start === bytes.length ? packed['message'] : undefined
}

/** A size in words, for errors. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** How many bytes a message has. */
export function packedSize({ json, files }: PackedMessage): number {
  return files.reduce((sum, file) => sum + sizeOf(file), json.length)
}

function checkSizes(json: Uint8Array, files: readonly { readonly bytes: Bytes }[]): void {
  if (json.length > maxJsonBytes) throw beyondJson(json.length)
  if (files.length > maxFiles) throw beyond(`It has ${files.length} files`, maxFiles)
  const size = files.reduce((sum, { bytes }) => sum + sizeOf(bytes), json.length)
  if (size > maxMessageBytes) {
    throw beyond(`It has ${megabytes(size)} with its files`, megabytes(maxMessageBytes))
  }
}

function beyondJson(bytes: number): RangeError {
  return beyond(`Its data has ${megabytes(bytes)} as JSON`, megabytes(maxJsonBytes))
}

function beyond(had: string, limit: string | number): RangeError {
  return new RangeError(`${had}, and a message of the fleet at most ${limit}.`)
}

function readEntry(entry: unknown, rest: Uint8Array) {
  if (!Array.isArray(entry)) return undefined
  const parts: readonly unknown[] = entry
  const [path, size, type] = parts
  if (!isPath(path) || typeof size !== 'number' || !(size >= 0 && size <= rest.length))
    return undefined
  // A copy: a buffer of its own can be handed over, and a view would hold all of the message.
  const copy = rest.slice(0, size).buffer
  return { path, size, bytes: typeof type === 'string' ? new Blob([copy], { type }) : copy }
}

function isPath(value: unknown): value is Path {
  return (
    Array.isArray(value) &&
    value.length <= maxDepth &&
    value.every((key) => typeof key === 'string' || typeof key === 'number')
  )
}

/**
 * Writes only where `packMessage` left `null`, in own fields: a foreign path may name a prototype, or the length of a
 * list.
 */
function putBack(root: object, path: Path, bytes: Bytes): boolean {
  let holder: unknown = root
  for (const [index, key] of path.entries()) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return false
    const value: unknown = Reflect.get(holder, key)
    if (index === path.length - 1) return value === null && Reflect.set(holder, key, bytes)
    holder = value
  }
  return false
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
/** The characters that open a list or an object; those that close one follow. */
const opening: readonly number[] = [0x5b, 0x7b]
const closing: readonly number[] = [0x5d, 0x7d]

/** Counting values and levels takes far less time than reading them, and reading many levels on fills the stack. */
function isTooMuch(json: Uint8Array): boolean {
  let left = maxValues
  let depth = 0
  let isString = false
  for (let index = 0; index < json.length && left >= 0 && depth <= maxDepth + 2; index += 1) {
    const byte = json[index] ?? 0
    if (byte === quote) isString = !isString
    else if (isString) index += byte === backslash ? 1 : 0
    else if (byte === comma) left -= 1
    else if (closing.includes(byte)) depth -= 1
    else if (opening.includes(byte)) {
      left -= 1
      depth += 1
    }
  }
  return left < 0 || depth > maxDepth + 2
}

function tryJson(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json))
  } catch {
    return undefined
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

async function readFile(file: Bytes): Promise<Uint8Array> {
  return new Uint8Array(file instanceof Blob ? await file.arrayBuffer() : file)
}

function sizeOf(bytes: Bytes): number {
  return bytes instanceof Blob ? bytes.size : bytes.byteLength
}

function typeOf(bytes: Bytes): string | null {
  return bytes instanceof Blob ? bytes.type : null
}

function isPlainObject(value: unknown): value is object {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // An object of another realm has another `Object.prototype`.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function isScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  )
}

function at(path: Path): string {
  return path.length === 0 ? 'The message' : `The value at ${path.join('.').slice(0, 200)}`
}

const onlyText = 'another machine can be sent JSON, ArrayBuffers and Blobs only.'

/** The kind of a value, without its text, because a context may hold secrets. */
function kindOf(value: unknown): string {
  if (typeof value === 'number') return `the number ${value}`
  return `a ${Object.prototype.toString.call(value).slice(8, -1)}`
}

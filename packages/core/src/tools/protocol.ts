import { cutEnd } from '../internal/cut-text.ts'
import { defined } from '../internal/defined.ts'
import { isJsonObject, isObject, type JsonObject } from '../internal/json.ts'
import type { PlatformType } from '../internal/platform-type.ts'
import { type Budget, readJson } from '../internal/read-json.ts'
import type { Part } from '../kernel/message.ts'
import type { LogLine, ToolErrorKind } from '../kernel/tool-outcome.ts'
import { maxItems, readItems, readParts, toLine } from './content.ts'
import type { Resource, Resources } from './definition.ts'
import type { CallNotice, CallRequest, NewArtifact, ReturnedResult, Settlement } from './host.ts'
import { isFiniteNumber, toCount, toNumber, toProgress } from './progress.ts'
import { isBinary, maxBase64Chars, maxBinaryChars, maxResultBytes } from './result-limits.ts'

/** Raised when a message changes its meaning: a page and its workers must agree on the version. */
export const protocolVersion = 1

/** The most events of one call that are stored. A worker that asks for more is out of control. */
export const maxStoredEvents = 200

/** What the page sends to a worker. */
export type PageMessage =
  | { readonly type: 'run'; readonly request: CallRequest }
  | { readonly type: 'abort'; readonly executionId: string }
  /** The page has received this many messages of the call, so as many more may be sent. */
  | { readonly type: 'credit'; readonly executionId: string; readonly messages: number }

/** How the code of a tool can end by itself: not crashed, not stopped. */
export type OwnSettlement = Extract<Settlement, { readonly kind: 'returned' | 'threw' }>

/** The first message of a worker: what it implements. */
export interface ReadyMessage {
  readonly type: 'ready'
  readonly protocolVersion: number
  readonly toolNames: readonly string[]
}

/** What a worker sends during a call. */
export type CallMessage = { readonly executionId: string } & (
  | CallNotice
  /** Sent every second as long as the thread is not blocked. */
  | { readonly type: 'alive' }
  | { readonly type: 'settled'; readonly settlement: OwnSettlement }
)

/** The code failed outside of a call, so its state cannot be trusted any more. */
interface BrokenMessage {
  readonly type: 'broken'
  readonly message: string
}

/** What a worker sends to the page. */
export type WorkerMessage = ReadyMessage | CallMessage | BrokenMessage

/** Reads a message of the page. `undefined` for any other value. */
export function readPageMessage(value: unknown): PageMessage | undefined {
  if (!isObject(value)) return undefined
  const { type, executionId, request, messages } = value
  if (type === 'abort' && isString(executionId)) return { type, executionId }
  if (type === 'credit' && isString(executionId) && isFiniteNumber(messages)) {
    return { type, executionId, messages }
  }
  const call = type === 'run' ? readRequest(request) : undefined
  return call && { type: 'run', request: call }
}

/**
 * Reads a message of a worker: only known fields of the right kind, as a copy. `undefined` for anything else, and for
 * messages of another call than `currentId`. A message over a limit counts as a broken worker.
 */
export function readWorkerMessage(
  value: unknown,
  currentId: string | undefined,
): WorkerMessage | undefined {
  if (!isObject(value)) return undefined
  const { type, executionId } = value
  const message = type === 'broken' ? toLine(value['message']) : undefined
  if (message !== undefined) return { type: 'broken', message }
  const budget = { left: 0 }
  // Checked before the rest is read, so that messages of another call cannot keep the page busy.
  const isOfCall = currentId !== undefined && executionId === currentId
  const read =
    type === 'ready'
      ? readReady(value, budget)
      : isOfCall && readCallMessage(value, { executionId: currentId, budget })
  return read || (budget.left < 0 ? tooBig : undefined)
}

const tooBig: BrokenMessage = {
  type: 'broken',
  message: `The worker posted a message of more than ${maxItems} parts, files or log lines, or ${maxResultBytes} characters.`,
}

type Fields = { readonly [key: string]: unknown }

function readReady(fields: Fields, budget: Budget) {
  const names = readItems(fields['toolNames'], toLine, budget)
  const version = toNumber(fields['protocolVersion'])
  if (!names || version === undefined) return undefined
  return { type: 'ready', protocolVersion: version, toolNames: names } as const
}

export function readCallMessage(
  fields: Fields,
  { executionId, budget }: { readonly executionId: string; readonly budget: Budget },
): CallMessage | undefined {
  const { type, durable, progress } = fields
  switch (type) {
    case 'running':
    case 'alive':
      return { type, executionId }
    case 'update': {
      const partial = readResult(fields['partial'], budget)
      if (!partial) return undefined
      const { content, details } = partial
      return { type, executionId, partial: { content, ...defined({ details }) } }
    }
    case 'progress':
      return isObject(progress) ? { type, executionId, progress: toProgress(progress) } : undefined
    case 'log': {
      const lines = readItems(fields['lines'], readLine, budget)
      const dropped = toCount(fields['dropped'])
      return lines && dropped !== undefined ? { type, executionId, lines, dropped } : undefined
    }
    case 'custom': {
      const name = toLine(fields['name'])
      const data = readFields({ data: fields['data'] }, budget)?.['data']
      if (data === undefined || name === undefined || typeof durable !== 'boolean') return undefined
      return { type, executionId, name, data, durable }
    }
    case 'settled': {
      const settlement = readSettlement(fields['settlement'], budget)
      return settlement && { type, executionId, settlement }
    }
    default:
      return undefined
  }
}

/** Reads the two fields of a result that are data, each of at most `maxResultBytes`. */
function readFields(fields: object, budget: Budget): JsonObject | undefined {
  // The names of the two count as well.
  budget.left = 2 * maxResultBytes + 50
  const read = readJson(fields, budget)
  return isJsonObject(read) ? read : undefined
}

const errorKinds: readonly ToolErrorKind[] = [
  'failed',
  'not_found',
  'invalid_args',
  'cancelled',
  'invalid_result',
  'interrupted',
]

export function readSettlement(value: unknown, budget: Budget): OwnSettlement | undefined {
  if (!isObject(value)) return undefined
  const { kind, message, details } = value
  if (kind === 'returned') {
    const result = readResult(value['result'], budget)
    return result && { kind, result }
  }
  const errorKind = errorKinds.find((known) => known === value['errorKind'])
  const data = readFields({ details }, budget)
  if (kind !== 'threw' || !errorKind || !isString(message) || !data) return undefined
  // The model must get a text that is not empty.
  const text = /\S/.test(message) ? cutEnd(message, maxResultBytes) : 'The tool failed.'
  return { kind, errorKind, message: text, ...data }
}

function readResult(value: unknown, budget: Budget): ReturnedResult | undefined {
  if (!isObject(value)) return undefined
  const { details, structuredContent, terminate } = value
  const content = readContent(value['content'], budget)
  const artifacts = content && readItems(value['artifacts'] ?? [], readArtifact, budget)
  const data = artifacts && readFields({ details, structuredContent }, budget)
  if (!data) return undefined
  return {
    content,
    ...data,
    ...(artifacts.length > 0 && { artifacts }),
    ...(terminate === true && { terminate }),
  }
}

/** Reads content within the limits that `fitToSize` sets: one for all text together, and one for each image. */
function readContent(value: unknown, budget: Budget): readonly Part[] | undefined {
  const parts = readParts(value, budget)
  if (!parts) return undefined
  budget.left = maxResultBytes
  let binary = 0
  for (const part of parts) {
    const text = part.type === 'text' ? part.text : part.data
    if (!isBinary(part)) budget.left -= text.length
    else if (text.length > maxBase64Chars) budget.left = -1
    else binary += text.length
  }
  if (binary > maxBinaryChars) budget.left = -1
  return budget.left < 0 ? undefined : parts
}

/** Twice of what the arguments of a call may have. */
const maxInputChars = 10_000_000

function readRequest(value: unknown): CallRequest | undefined {
  if (!isObject(value)) return undefined
  const { executionId, toolCallId, toolName, attempt, resources, context } = value
  const { updateIntervalMs } = value
  if (!isString(executionId) || !isString(toolCallId) || !isString(toolName)) return undefined
  if (!isFiniteNumber(attempt) || !isResources(resources)) return undefined
  if (updateIntervalMs !== undefined && !isFiniteNumber(updateIntervalMs)) return undefined
  // Short numbers, such as 1e20, are longer here than in the text of the arguments.
  const input = readJson(value['input'], { left: maxInputChars })
  if (!isJsonObject(input)) return undefined
  return {
    ...{ executionId, toolCallId, toolName, attempt, input, resources },
    ...(value['isCheck'] === true && { isCheck: true }),
    ...(updateIntervalMs !== undefined && { updateIntervalMs }),
    ...(context !== undefined && { context }),
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function readLine(value: unknown): LogLine | undefined {
  if (!isObject(value)) return undefined
  const { level } = value
  const [text, t] = [toLine(value['text']), toNumber(value['t'])]
  const isLevel = level === 'debug' || level === 'info' || level === 'warn' || level === 'error'
  return isLevel && text !== undefined && t !== undefined ? { level, text, t } : undefined
}

function readArtifact(value: unknown): NewArtifact | undefined {
  if (!isObject(value)) return undefined
  const { data, isFullResult } = value
  const [name, mediaType] = [toLine(value['name']), toLine(value['mediaType'])]
  // No Blob can be made of a buffer that may still grow.
  const isFixed = data instanceof ArrayBuffer && !Reflect.get(data, 'resizable')
  const isBytes = isFixed || data instanceof Blob
  if (!isBytes || name === undefined || mediaType === undefined) return undefined
  return { name, mediaType, data, ...(isFullResult === true && { isFullResult }) }
}

/** Whether each field is of a kind that goes to the code of a tool, at whatever place. */
export function isResources(value: unknown): value is Resources {
  return isObject(value) && Object.values(value).every(isResource)
}

function isResource(value: unknown): value is Resource {
  return (
    value instanceof Blob ||
    value instanceof ArrayBuffer ||
    value instanceof WebAssembly.Module ||
    isBitmap(value)
  )
}

/** Outside a browser there is no `ImageBitmap`. */
export function isBitmap(value: unknown): value is PlatformType<'ImageBitmap'> {
  return typeof ImageBitmap !== 'undefined' && value instanceof ImageBitmap
}

import { isJson } from '../internal/is-json.ts'
import type { Json } from '../internal/json.ts'
import { isJsonObject, isObject } from '../internal/json.ts'
import type { PlatformType } from '../internal/platform-type.ts'
import type { LogLine, PartialToolResult, ToolErrorKind } from '../kernel/tool-outcome.ts'
import { isFiniteNumber, readParts, toProgress } from './content.ts'
import type { Resource, Resources } from './definition.ts'
import type { CallNotice, CallRequest, NewArtifact, ReturnedResult, Settlement } from './host.ts'

/** Raised when a message changes its meaning: a page and its workers must agree on the version. */
export const protocolVersion = 1

/** So many events of one call are stored. A worker that asks for more is out of control. */
export const maxStoredEvents = 200

/** What the page sends to a worker. */
export type PageMessage =
  | { readonly type: 'run'; readonly request: CallRequest }
  | { readonly type: 'abort'; readonly executionId: string }
  /** The page has received so many messages of the call: as many more may be sent. */
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

/** Reads a message of the page. `undefined` for anything that is none. */
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
 * Reads a message of a worker: only known fields of the right kind. `undefined` for anything else, and for messages
 * of another call than `currentId`.
 */
export function readWorkerMessage(
  value: unknown,
  currentId: string | undefined,
): WorkerMessage | undefined {
  if (!isObject(value)) return undefined
  const { type, executionId, message, protocolVersion: version, toolNames } = value
  if (type === 'broken' && typeof message === 'string') return { type, message }
  if (type === 'ready' && typeof version === 'number' && isListOf(toolNames, isString)) {
    return { type, protocolVersion: version, toolNames }
  }
  // Before the rest is read, so that messages of another call cannot keep the page busy.
  if (currentId === undefined || executionId !== currentId) return undefined
  return readCallMessage(value, currentId)
}

type Fields = { readonly [key: string]: unknown }

function readCallMessage(fields: Fields, executionId: string): CallMessage | undefined {
  const { type, name, data, durable, lines, dropped } = fields
  switch (type) {
    case 'running':
    case 'alive':
      return { type, executionId }
    case 'update': {
      const partial = readPartial(fields['partial'])
      return partial && { type, executionId, partial }
    }
    case 'progress': {
      const { progress } = fields
      return isObject(progress) ? { type, executionId, progress: toProgress(progress) } : undefined
    }
    case 'log': {
      if (!isFiniteNumber(dropped) || !isListOf(lines, isLogLine)) return undefined
      return { type, executionId, lines, dropped }
    }
    case 'custom':
      if (!isString(name) || typeof durable !== 'boolean' || !isJson(data)) return undefined
      return { type, executionId, name, data, durable }
    case 'settled': {
      const settlement = readSettlement(fields['settlement'])
      return settlement && { type, executionId, settlement }
    }
    default:
      return undefined
  }
}

function readPartial(value: unknown): PartialToolResult | undefined {
  if (!isObject(value)) return undefined
  const { details } = value
  const content = readParts(value['content'])
  if (!content || !isOptionalJson(details)) return undefined
  return { content, ...(details !== undefined && { details }) }
}

const errorKinds: readonly ToolErrorKind[] = [
  'failed',
  'not_found',
  'invalid_args',
  'cancelled',
  'invalid_result',
]

function readSettlement(value: unknown): OwnSettlement | undefined {
  if (!isObject(value)) return undefined
  const { kind, message, details } = value
  if (kind === 'returned') {
    const result = readResult(value['result'])
    return result && { kind, result }
  }
  const errorKind = errorKinds.find((known) => known === value['errorKind'])
  if (kind !== 'threw' || !errorKind || typeof message !== 'string') return undefined
  if (!isOptionalJson(details)) return undefined
  return { kind, errorKind, message, ...(details !== undefined && { details }) }
}

function readResult(value: unknown): ReturnedResult | undefined {
  if (!isObject(value)) return undefined
  const { structuredContent, artifacts = [], terminate } = value
  if (!isListOf(artifacts, isArtifact) || !isOptionalJson(structuredContent)) return undefined
  const partial = readPartial(value)
  if (!partial) return undefined
  return {
    ...partial,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(terminate === true && { terminate }),
  }
}

function readRequest(value: unknown): CallRequest | undefined {
  if (!isObject(value)) return undefined
  const { executionId, toolCallId, toolName, attempt, input, resources, context } = value
  const { updateIntervalMs } = value
  if (!isString(executionId) || !isString(toolCallId) || !isString(toolName)) return undefined
  if (!isFiniteNumber(attempt) || !isResources(resources)) return undefined
  if (!isJson(input) || !isJsonObject(input)) return undefined
  if (updateIntervalMs !== undefined && !isFiniteNumber(updateIntervalMs)) return undefined
  return {
    ...{ executionId, toolCallId, toolName, attempt, input, resources },
    ...(updateIntervalMs !== undefined && { updateIntervalMs }),
    ...(context !== undefined && { context }),
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isOptionalJson(value: unknown): value is Json | undefined {
  return value === undefined || isJson(value)
}

function isListOf<Item>(
  value: unknown,
  isItem: (item: unknown) => item is Item,
): value is readonly Item[] {
  return Array.isArray(value) && value.every(isItem)
}

function isLogLine(value: unknown): value is LogLine {
  if (!isObject(value)) return false
  const { level, text, t } = value
  const isLevel = level === 'debug' || level === 'info' || level === 'warn' || level === 'error'
  return isLevel && isString(text) && isFiniteNumber(t)
}

function isArtifact(value: unknown): value is NewArtifact {
  if (!isObject(value)) return false
  const { name, mediaType, data, isFullResult } = value
  if (isFullResult !== undefined && isFullResult !== true) return false
  const isBytes = data instanceof Blob || data instanceof ArrayBuffer
  return isString(name) && isString(mediaType) && isBytes
}

function isResources(value: unknown): value is Resources {
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

/** There are none outside a browser. */
export function isBitmap(value: unknown): value is PlatformType<'ImageBitmap'> {
  return typeof ImageBitmap !== 'undefined' && value instanceof ImageBitmap
}

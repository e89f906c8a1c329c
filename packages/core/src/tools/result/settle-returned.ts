import { cutEnd } from '../../internal/cut-text.ts'
import { defined } from '../../internal/defined.ts'
import { withFullStop, withoutFullStop } from '../../internal/full-stop.ts'
import type { Json, JsonObject } from '../../internal/json.ts'
import { messageOf } from '../../internal/message-of.ts'
import { toPlain } from '../../internal/plain.ts'
import { type Part, textOf } from '../../kernel/message.ts'
import { problemsOf } from '../check-args.ts'
import { maxItems, toLine, toParts } from '../content.ts'
import type { Tool } from '../definition.ts'
import type { NewArtifact, ReturnedResult } from '../host.ts'
import { toNumber } from '../progress.ts'
import type { OwnSettlement } from '../protocol.ts'
import { maxResultBytes } from '../result-limits.ts'
import { isError, isToolError, reasonOf, type ToolErrorReason } from '../tool-error.ts'
import { type ResultBytes, takeBytes } from './artifact-bytes.ts'
import { cutMiddle } from './cut-bytes.ts'
import { fitPartial, fitToSize } from './fit-to-size.ts'
import { splitOutput } from './llm-content.ts'
import { type Returned, readReturned } from './read-returned.ts'
import { type ArtifactInput, isToolResultValue, type ToolResultInput } from './tool-result.ts'

const maxMessageChars = 2000

type Failure = Extract<OwnSettlement, { readonly kind: 'threw' }>

/** The parts of a tool that are needed to read its result. */
type Returning = Pick<Tool, 'name' | 'outputSchema'>

/**
 * What an implementation returned, as a settlement: plain, checked by the tool's `outputSchema` and cut to
 * size. A `ToolError` counts as thrown. Never rejects: a result that cannot be used is an `invalid_result`.
 */
export async function settleReturned(
  value: unknown,
  tool: Returning,
  bytes: ResultBytes = 'copied',
): Promise<OwnSettlement> {
  try {
    if (isToolError(value)) return settleThrown(value)
    const parts = readReturned(value, tool)
    if (parts.isError) return settleFailure(parts)
    const { data, content: contentOf } = splitOutput(parts.output)
    const output = await checkedOutput(data, tool)
    const content = parts.content ?? (await contentOf?.())
    const all = { ...parts, output, ...(content !== undefined && { content }) }
    return { kind: 'returned', result: fitToSize(toResult(all, tool, bytes)) }
  } catch (error) {
    return {
      kind: 'threw',
      errorKind: 'invalid_result',
      message: cutEnd(
        `The result of "${tool.name}" cannot be used: ${textOfError(error)}`,
        maxMessageChars,
      ),
    }
  }
}

/** What an implementation threw, as a settlement. */
export function settleThrown(error: unknown): Failure {
  if (unlessItBreaks(() => isThing(error))) return settleThing(error)
  const details = unlessItBreaks(() => (isError(error) ? detailsOfError(error) : undefined))
  return {
    kind: 'threw',
    errorKind: unlessItBreaks(() => reasonOf(error)) ?? 'failed',
    message: failureText(unlessItBreaks(() => textOfThrown(error)) ?? wholeMessageOf(error)),
    ...(details && { details }),
  }
}

/** Whether a thrown value is neither an error nor a plain word. */
function isThing(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !isError(value)
}

/** A thrown value that is no error is read as if it was returned: of a result the model reads the content alone. */
function settleThing(value: unknown): Failure {
  try {
    const { content, message, output, details } = readReturned(value, { outputSchema: undefined })
    const said = content ?? message ?? JSON.stringify(plain('what it threw', output))
    return settleFailure({ content: said, details })
  } catch (error) {
    const message = `The tool threw what cannot be used: ${textOfError(error)}`
    return { kind: 'threw', errorKind: 'failed', message: cutEnd(message, maxMessageChars) }
  }
}

/** The texts for errors that a tool made without one, by kind. */
const wordless: { readonly [Reason in ToolErrorReason]: string } = {
  failed: '',
  not_found: 'What was asked for does not exist.',
  invalid_args: 'The arguments make no sense.',
  cancelled: 'The tool cancelled its work.',
}

/** The model reads as much of it as of any result, so nothing is cut off here. */
function wholeMessageOf(error: unknown): string {
  return messageOf(error, Number.POSITIVE_INFINITY)
}

function textOfThrown(error: unknown): string {
  if (!/\S/.test(String(error ?? ''))) return ''
  if (error instanceof AggregateError) return textOfSeveral(error)
  if (!isError(error) || /\S/.test(String(error.message))) return wholeMessageOf(error)
  if (error.name === 'Error') return ''
  return isToolError(error) ? wordless[error.kind] : wholeMessageOf(error)
}

/** An error of several, as `Promise.any` throws it, says nothing by itself: what went wrong is in the others. */
function textOfSeveral(error: AggregateError, depth = 1): string {
  const message = wholeMessageOf(error)
  const texts = error.errors.slice(0, maxErrors).map((one: unknown) => {
    const text = unlessItBreaks(() => textWithin(one, depth)) ?? wholeMessageOf(one)
    return cutEnd(text, maxMessageChars)
  })
  const news = texts.filter((text) => !message.includes(text)).map(withoutFullStop)
  const left = error.errors.length - texts.length
  const all = [...news, ...(left > 0 ? [`${left} more`] : [])]
  return all.length > 0 ? `${withoutFullStop(message)} (${all.join('; ')})` : message
}

function textWithin(one: unknown, depth: number): string {
  if (isThing(one)) return settleThing(one).message
  const isSeveral = one instanceof AggregateError && depth < maxDepth
  return isSeveral ? textOfSeveral(one, depth + 1) : wholeMessageOf(one)
}

/** What is thrown may be a proxy, or have getters that throw. */
function unlessItBreaks<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The text of a failure for the model, which must not be empty. */
function failureText(text: string): string {
  return /\S/.test(text) ? cutMiddle(text, maxResultBytes) : 'The tool failed.'
}

/** The settlement of a result with `isError`: as if its content had been thrown. */
function settleFailure({ content = '', details, artifacts }: Returned): Failure {
  if (artifacts && artifacts.length > 0) throw new TypeError('a failure keeps no artifacts')
  return {
    kind: 'threw',
    errorKind: 'failed',
    message: failureText(textOf(toParts(content))),
    ...(details !== undefined && fittingDetails(plain('details', details))),
  }
}

function fittingDetails(all: Json): { readonly details?: Json } {
  return defined({ details: fitPartial({ content: [], details: all }).details })
}

/** An error as one short text for people and models, without its stack. */
export function textOfError(error: unknown): string {
  return cutEnd(wholeMessageOf(error), maxMessageChars)
}

/** Causes of causes are followed to this depth. */
const maxDepth = 4
const maxErrors = 10
/** At most this many of the errors inside an error are described; of the others only the message is kept. */
const maxDescribed = 20

/** An error as plain data: between threads the platform keeps neither its class, nor its fields, nor its causes. */
function detailsOfError(error: Error, depth = 1, room = { left: maxDescribed }): JsonObject {
  room.left -= 1
  const inner = (value: unknown): Json =>
    isError(value) && depth < maxDepth && room.left > 0
      ? { message: textOfError(value), ...detailsOfError(value, depth + 1, room) }
      : textOfError(value)
  const code = 'code' in error ? error.code : undefined
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  return {
    name: cutEnd(String(error.name), maxMessageChars),
    ...(typeof error.stack === 'string' && { stack: cutEnd(error.stack, 4 * maxMessageChars) }),
    ...defined({ code: toLine(code) ?? toNumber(code) }),
    ...(error.cause !== undefined && { cause: inner(error.cause) }),
    ...(errors.length > 0 && { errors: errors.slice(0, maxErrors).map(inner) }),
  }
}

async function checkedOutput(output: unknown, { outputSchema }: Returning): Promise<unknown> {
  if (!outputSchema) return output
  const checked = await outputSchema['~standard'].validate(output)
  if (checked.issues) {
    throw new TypeError(`It does not fit outputSchema: ${problemsOf(checked.issues)}`)
  }
  return checked.value
}

function toResult(
  parts: ToolResultInput,
  { outputSchema }: Returning,
  bytes: ResultBytes,
): ReturnedResult {
  const structured = parts.output === undefined ? undefined : plain('the result', parts.output)
  const details = parts.details === undefined ? undefined : plain('details', parts.details)
  const artifacts = toArtifacts(parts.artifacts ?? [], bytes)
  // Without an `outputSchema` a string is content: as structured content it would only be there twice.
  const isBare = parts.content === undefined && parts.message === undefined
  const isText = typeof structured === 'string' && !outputSchema && isBare
  const bare = parts.content === undefined ? contentOf(structured) : toParts(parts.content)
  const content = parts.message === undefined ? bare : [...toParts(parts.message), ...bare]
  if (content.length > maxItems) throw new TypeError(`it has more than ${maxItems} parts.`)
  return {
    content,
    ...(details !== undefined && { details }),
    ...(structured !== undefined && !isText && { structuredContent: structured }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(parts.terminate === true && { terminate: true }),
  }
}

function plain(what: string, value: unknown): Json {
  try {
    // Details of a nested `toolResult` would become data, which the model reads.
    return toPlain(value, (one) => (isToolResultValue(one) ? 'a toolResult' : undefined))
  } catch (error) {
    throw new TypeError(`${what} was not serialisable: ${withFullStop(textOfError(error))}`)
  }
}

function contentOf(output: Json | undefined): readonly Part[] {
  if (output === undefined) return []
  return toParts(typeof output === 'string' ? output : JSON.stringify(output))
}

function toArtifacts(inputs: readonly ArtifactInput[], bytes: ResultBytes): readonly NewArtifact[] {
  const given: unknown = inputs
  if (!Array.isArray(given)) {
    throw new TypeError('artifacts must be a list of { name, mediaType, data }')
  }
  if (inputs.length > maxItems) throw new TypeError(`it has more than ${maxItems} artifacts.`)
  const taken = takeBytes(inputs, bytes)
  return inputs.flatMap(({ name, mediaType, data }, at) => {
    const own = taken[at]
    const type = mediaType || (data instanceof Blob && data.type) || 'application/octet-stream'
    return own ? [{ name: lineOf(name), mediaType: lineOf(type), data: own }] : []
  })
}

function lineOf(value: unknown): string {
  return cutEnd(String(value), maxMessageChars)
}

import { cutEnd } from '../internal/cut-text.ts'
import { withFullStop, withoutFullStop } from '../internal/full-stop.ts'
import {
  hasTooManyValues,
  isJsonObject,
  isObject,
  type JsonObject,
  tryJson,
} from '../internal/json.ts'
import { messageOf } from '../internal/message-of.ts'
import { partialJson } from '../internal/partial-json.ts'
import { readJson } from '../internal/read-json.ts'
import { reportLater } from '../internal/report-later.ts'
import type { AssistantMessage } from '../kernel/message.ts'
import type { OutputRequest, OutputVerdict } from '../kernel/output-request.ts'
import { outputTextOf } from '../kernel/output-text.ts'
import type { RunError } from '../kernel/run-error.ts'
import { openAnswerIn, type State } from '../kernel/state.ts'
import { callHook, type Patience } from '../runtime/hooks.ts'
import { problemsOf } from '../tools/check-args.ts'
import { jsonSchema } from '../tools/json-schema.ts'
import { jsonSchemaOf, type ToolSchema } from '../tools/tool-schema.ts'
import type { OutputOptions, OutputSchema } from './output-schema.ts'
import type { RunResult } from './run.ts'

export { streamOutput } from '../model/output-stream.ts'

/** What shows the answers of a run while they are written. */
export interface AnswerSource {
  /** Calls back after each change. Returns the function that ends this. */
  readonly subscribe: (listener: () => void) => () => void
  readonly state: () => State
  /** The patience for a check after the run. Its signal fires when the agent is disposed. */
  readonly patience: Patience
  /** Stops the run, and what comes after it. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes a run end with an answer that fits a schema. The result has it as `output`, if there is one. Throws a
 * `TypeError` for a schema that describes no object or is no JSON Schema; `run` is called at once, if at all.
 */
export function askForOutput(
  options: OutputOptions,
  source: AnswerSource,
  run: (request: OutputRequest) => Promise<RunResult>,
): Promise<RunResult<never>>
export async function askForOutput(
  options: OutputOptions,
  source: AnswerSource,
  run: (request: OutputRequest) => Promise<RunResult>,
): Promise<RunResult> {
  const { request, wanted } = readOptions(options)
  const { onPartial } = options
  const stop = onPartial && watch(source, (partial: JsonObject) => onPartial(partial))
  try {
    return await withValue(await run(request), wanted, source)
  } finally {
    stop?.()
  }
}

/** The part of a request for an output that only this page has: the schema in its code. */
interface Wanted {
  readonly schema: ToolSchema
  /** The answer that fits, and the value that the schema returned for it. */
  fitting: { readonly messageId: string; readonly value: unknown } | null
}

/** The schemas of this page, by the request in the log. After a reload only the JSON Schema in the log is left. */
const wantedBy = new WeakMap<OutputRequest, Wanted>()

const mostSchemaChars = 200_000

function readOptions({ output, maxRepairs = 2, onPartial }: OutputOptions) {
  if (onPartial !== undefined && typeof onPartial !== 'function')
    throw new TypeError('onPartial must be a function.')
  if (!Number.isInteger(maxRepairs) || maxRepairs < 0) {
    throw new TypeError(`maxRepairs must be a whole number of at least 0; it is ${maxRepairs}.`)
  }
  const { schema, json } = schemasOf(output)
  if (JSON.stringify(json).length > mostSchemaChars) {
    throw new TypeError(
      `The schema of the output has more than ${mostSchemaChars} characters as JSON. Ask for less at a time.`,
    )
  }
  const request: OutputRequest = { schema: json, maxRepairs }
  const wanted: Wanted = { schema, fitting: null }
  wantedBy.set(request, wanted)
  return { request, wanted }
}

function schemasOf(output: OutputSchema): {
  readonly schema: ToolSchema
  readonly json: JsonObject
} {
  if (!isObject(output)) {
    throw new TypeError(
      'The output must be a schema, for instance z.object({ … }), or JSON Schema.',
    )
  }
  if (!isStandard(output)) {
    const schema = jsonSchema(output)
    return { schema, json: jsonSchemaOf('The output', schema) }
  }
  const json = jsonSchemaOf('The output', output)
  // After a reload the JSON Schema does the checking, so it has to be a valid one.
  jsonSchema(json)
  return { schema: output, json }
}

function isStandard(output: OutputSchema): output is ToolSchema<object> {
  return '~standard' in output
}

/** Checks an answer of the run against the schema of its output. */
export async function verdictIn(
  { run, head }: State,
  messageId: string,
  patience: Patience,
): Promise<OutputVerdict> {
  let node = head
  while (node && node.message.id !== messageId) node = node.parent
  const request = run?.output
  if (!request || node?.message.role !== 'assistant') return failure(new Error('it is not there'))
  const wanted = wantedBy.get(request) ?? { schema: jsonSchema(request.schema), fitting: null }
  wantedBy.set(request, wanted)
  const { message } = node
  try {
    const { verdict } = await callHook(() => check(message, wanted), patience)
    return verdict
  } catch (thrown) {
    return failure(thrown)
  }
}

type Checked =
  | { readonly verdict: { readonly problem: string } }
  | { readonly verdict: { readonly problem?: never }; readonly value: unknown }

const maxProblemChars = 1000

/** Rejects with what the schema throws. */
async function check(message: AssistantMessage, wanted: Wanted): Promise<Checked> {
  const text = outputTextOf(message.content)
  const answer = hasTooManyValues(text) ? undefined : readJson(tryJson(text))
  if (!isJsonObject(answer)) {
    const isCut = message.stopReason === 'max_tokens'
    return unfit(isCut ? 'It was cut off at its length limit.' : 'It is not one valid JSON object.')
  }
  const checked = await wanted.schema['~standard'].validate(answer)
  if (checked.issues) return unfit(withFullStop(problemsOf(checked.issues)))
  wanted.fitting = { messageId: message.id, value: checked.value }
  return { verdict: {}, value: checked.value }
}

/** The verdict for an answer that could not be checked. It ends the run. */
function failure(thrown: unknown): OutputVerdict {
  const problem = `The answer could not be checked (${reasonOf(thrown)}). Continue to have it checked again.`
  return { problem, failed: true }
}

function reasonOf(thrown: unknown): string {
  return cutEnd(withoutFullStop(messageOf(thrown)), maxProblemChars)
}

function unfit(problem: string): Checked {
  return { verdict: { problem: cutEnd(problem, maxProblemChars) } }
}

/**
 * The result with the value of its last answer. If another tab has checked the run, this page checks the answer again
 * by its schema, because only that gives the value.
 */
async function withValue(
  result: RunResult,
  wanted: Wanted,
  { state, patience, signal = patience.signal }: AnswerSource,
): Promise<RunResult> {
  if (result.reason !== 'stop') return result
  // A run that only checked an earlier answer has added none.
  const answer = result.messages.findLast((message) => message.role === 'assistant')
  const message = answer ?? lastAnswerIn(state())
  if (!message) return result
  if (wanted.fitting?.messageId === message.id) return { ...result, output: wanted.fitting.value }
  const limits = { ...patience, signal: AbortSignal.any([patience.signal, signal]) }
  try {
    const checked = await callHook(() => check(message, wanted), limits)
    if ('value' in checked) return { ...result, output: checked.value }
    return { ...result, reason: 'error', error: misfit(checked.verdict.problem) }
  } catch (thrown) {
    if (patience.signal.aborted) return { ...result, reason: 'interrupted' }
    if (signal.aborted) return { ...result, reason: 'aborted' }
    return { ...result, reason: 'error', error: uncheckable(thrown) }
  }
}

function lastAnswerIn({ head }: State): AssistantMessage | null {
  for (let node = head; node; node = node.parent) {
    if (node.message.role === 'assistant' && !node.excluded) return node.message
  }
  return null
}

function misfit(problem: string): RunError {
  const message = `The answer fits the JSON Schema of the output, but not the schema itself: ${problem}`
  return { kind: 'invalid_output', message, retryable: false }
}

function uncheckable(thrown: unknown): RunError {
  const message = `The answer fits the JSON Schema of the output, but could not be checked by the schema itself (${reasonOf(thrown)}). Its text is in the result.`
  return { kind: 'internal', message, retryable: false }
}

/**
 * Reports what is written so far. A long answer is read again only when it has grown by a 64th, when it has become shorter,
 * as another object has begun in it, and when it is whole.
 */
function watch({ subscribe, state }: AnswerSource, report: (partial: JsonObject) => void) {
  let messageId = ''
  let length = 0
  return subscribe(() => {
    const open = openAnswerIn(state())
    const message = open ?? wholeAnswerIn(state())
    if (!message || (!open && message.id !== messageId)) return
    if (message.id !== messageId) length = 0
    messageId = message.id
    const text = outputTextOf(message.content)
    const most = open ? length + length / 64 : length
    if (text.length >= length && text.length <= most) return
    length = text.length
    const partial = partialJson(text)
    if (!isObject(partial)) return
    try {
      report(partial)
    } catch (error) {
      reportLater(error)
    }
  })
}

/** The answer that the run has got last, also one that was stopped. */
function wholeAnswerIn({ head }: State): AssistantMessage | null {
  return head?.message.role === 'assistant' && !head.excluded ? head.message : null
}

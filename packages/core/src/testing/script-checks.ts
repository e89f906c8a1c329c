import type { RunErrorKind } from '../kernel/run-error.ts'
import type { FinishReason } from '../model/port.ts'

export type AllOf<Name extends string> = { readonly [Each in Name]: true }

const kinds: AllOf<RunErrorKind> = {
  ...{ auth: true, billing: true, permission: true, rate_limited: true, overloaded: true },
  ...{ network: true, cors: true, stalled: true, timeout: true, context_overflow: true },
  ...{ too_large: true, bad_request: true, protocol: true, truncated_stream: true },
  ...{ refusal: true, invalid_output: true, storage: true, internal: true },
}
const reasons: AllOf<FinishReason> = {
  ...{ stop: true, tool_use: true, max_tokens: true, refusal: true, pause_turn: true },
  ...{ context_overflow: true },
}
const figures = {
  ...{ inputTokens: true, outputTokens: true, cacheReadTokens: true, cacheWriteTokens: true },
  ...{ cost: true, isCostReported: true },
}

/** Throws a `TypeError` for a value that is no text, because types do not reach tests in plain JavaScript. */
export function checkText(of: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`${of} takes a text, and got ${shown(value)}.`)
}

/** Throws a `TypeError` for a value that is no name of a tool. */
export function checkToolName(of: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return
  throw new TypeError(`${of} takes the name of a tool, and got ${shown(value)}.`)
}

export function checkKind(value: unknown): void {
  checkWord(kinds, value, 'fail() takes a kind of RunError')
}

export function checkReason(value: unknown): void {
  checkWord(reasons, value, 'finish() takes a reason')
}

export function checkUsage(usage: object): void {
  for (const name of Object.keys(usage)) checkWord(figures, name, 'uses() takes figures of Usage')
}

/** Throws a `TypeError` for a value that is no answer of a script. `parts`: the types that a part may have. */
export function checkAnswer(answer: unknown, number: number, parts: object): void {
  if (typeof answer === 'function') return
  const which = `Answer ${number} of the script`
  if (answer instanceof Promise)
    throw new TypeError(`${which} is a promise: its function has to return the parts themselves.`)
  if (!Array.isArray(answer)) {
    throw new TypeError(
      `${which} is ${shown(answer)}, and no list of parts: write scriptedModel([say('Hello.')]).`,
    )
  }
  const wrong: unknown = answer.find((part: unknown) => !isPart(part, parts))
  if (wrong === undefined && !answer.includes(undefined)) return
  throw new TypeError(
    `${which} has ${shown(wrong)} in it, and no part: make parts with say(), call() and the like.`,
  )
}

function isPart(value: unknown, parts: object): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return typeof value.type === 'string' && Object.hasOwn(parts, value.type)
}

function checkWord(known: object, value: unknown, message: string): void {
  if (typeof value === 'string' && Object.hasOwn(known, value)) return
  const names = Object.keys(known).join(', ')
  throw new TypeError(`${message} (${names}), and got ${shown(value)}.`)
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

import type { ToolCallView } from '@offthread/core'
import { visibleText } from '@offthread/react'
import { formatBytes } from '../text/quantity.ts'
import { textOfParts } from '../text/text-of-parts.ts'
import { cancellerOf } from './ending-text.ts'
import { progressLine } from './progress-words.ts'

/** A call in a few words: its input and its result. */
export interface CallSummary {
  readonly asked: string
  /** Whether `asked` is code. */
  readonly code?: boolean
  readonly got?: string
}

/** The line on the card of any tool. It never shows raw JSON. */
export function plainSummary(call: ToolCallView): CallSummary {
  const got = gotOf(call)
  return {
    asked: oneLine(plainFields(call.args).join(', ')),
    ...(got !== undefined && { got: oneLine(got) }),
  }
}

/** The first two plain arguments, each after its name: `ms 500`. */
export function plainFields(args: unknown): readonly string[] {
  if (typeof args !== 'object' || args === null) return []
  const plain: string[] = []
  // Names alone: to list all fields of an object that has 50,000 takes as long as a frame.
  for (const name of Object.keys(args).slice(0, 50)) {
    const value: unknown = Reflect.get(args, name)
    // One line is shown: a text of megabytes is not copied for it.
    if (value !== null && typeof value !== 'object')
      plain.push(`${name} ${String(value).slice(0, mostChars)}`)
  }
  return plain.slice(0, 2)
}

const mostChars = 400
const mostOfLabel = 120

/** What a call is called on its card. A model may call a tool that does not exist, with a name of any length. */
export function labelOf({ label }: Pick<ToolCallView, 'label'>): string {
  return label.length > mostOfLabel ? `${label.slice(0, mostOfLabel)}…` : label
}

/** The start of a text, on one line. It is cut as it is shown: marks take more room than what they stand for. */
export function oneLine(text: string): string {
  const line = visibleText(text.slice(0, mostChars)).replace(/\s+/g, ' ').trim()
  return line.length > 240 ? `${line.slice(0, 239)}…` : line
}

function gotOf(call: ToolCallView): string | undefined {
  if (!call.hasEnded) return call.status === 'queued' ? undefined : progressLine(call)
  return call.isError ? failureOf(call) : sizeOf(call)
}

function failureOf(call: ToolCallView): string | undefined {
  const { status, how, result, partial } = call
  if (status === 'failed') return textOfParts(result?.content ?? [])
  const soFar = progressLine(partial ? { partial } : {})
  const who = status === 'cancelled' ? `by ${cancellerOf(call)}` : undefined
  const ending = how === 'terminated' ? 'terminated' : undefined
  return [who, ending, soFar && `at ${soFar}`].filter(Boolean).join(' · ') || undefined
}

/** The size of a long result, also if the card holds only a part of it. */
function sizeOf({ result }: ToolCallView): string | undefined {
  const whole = result?.artifacts?.find(({ isFullResult }) => isFullResult)
  const bytes = whole?.bytes ?? textOfParts(result?.content ?? []).length
  return bytes > 200 ? formatBytes(bytes) : undefined
}

import { defined } from '../internal/defined.ts'
import { isObject } from '../internal/json.ts'
import type { ToolProgress } from '../kernel/tool-outcome.ts'
import { toLine } from './content.ts'

/** A number that JSON has, `undefined` for anything else. */
export function toNumber(value: unknown): number | undefined {
  // Adding 0 makes 0 of -0, which JSON does not have.
  return isFiniteNumber(value) ? value + 0 : undefined
}

/** The highest count: sums of many counts in a call stay whole numbers. */
const maxCount = 1_000_000_000

/** A whole number, cut to what a call may count; `undefined` for anything else. */
export function toCount(value: unknown): number | undefined {
  return isFiniteNumber(value) && value >= 0 && Number.isInteger(value)
    ? Math.min(value + 0, maxCount)
    : undefined
}

/** Reads what is usable of a progress report: texts, and numbers that are numbers. */
export function toProgress(value: unknown): ToolProgress {
  const { message, status, value: done, total, unit } = isObject(value) ? value : { message: value }
  return defined({
    message: toLine(message),
    status: toLine(status),
    value: toNumber(done),
    total: toNumber(total),
    unit: toLine(unit),
  })
}

const fields = ['message', 'status', 'value', 'total', 'unit']

/** Whether a tool reports anything with it. */
export function isProgress(value: unknown): boolean {
  return typeof value === 'string' || (isObject(value) && fields.some((name) => name in value))
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

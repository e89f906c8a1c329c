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

const fieldTypes = {
  message: 'string',
  status: 'string',
  value: 'number',
  total: 'number',
  unit: 'string',
} as const

/** Whether a tool reports anything with it, and each field that it has is of its type. */
export function isProgress(value: unknown): boolean {
  if (!isObject(value)) return typeof value === 'string'
  const given = Object.entries(fieldTypes).filter(([name]) => (value[name] ?? null) !== null)
  return given.length > 0 && given.every(([name, type]) => typeof value[name] === type)
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

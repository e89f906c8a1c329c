import type { Key } from './reading.ts'
import { toWords } from './words.ts'

const year = String.raw`(?:1\d|20|21)\d\d`

/** How spans of time are spelled: as texts they are in the order of time. */
const spellings = [
  ['year', new RegExp(`^${year}$`)],
  ['quarter', new RegExp(`^${year}[- ]?Q[1-4]$`, 'i')],
  ['month', new RegExp(`^${year}-(?:0[1-9]|1[0-2])$`)],
  ['week', new RegExp(`^${year}-?W(?:0[1-9]|[1-4]\\d|5[0-3])$`, 'i')],
  ['day', new RegExp(`^${year}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$`)],
] as const

type Period = (typeof spellings)[number][0]

/** What all of these texts name, if it is one kind of span. */
export function periodOf(texts: readonly string[]): Period | undefined {
  if (texts.length === 0) return undefined
  return spellings.find(([, spelling]) => texts.every((text) => spelling.test(text)))?.[0]
}

/**
 * Whether the values of a column, or the parts of its dates, are spans of time. Numbers are only if the column's name
 * says so.
 */
export function isInTime({ column, part }: Key): boolean {
  const { name, type, values, examples, min = '', max = '' } = column
  if (part || type === 'date') return true
  const words = toWords(name)
  // The price per year may be 1900, too, and `2024-07` may be the number of an order.
  if (words.some((word) => notOfTime.test(word))) return false
  if (type === 'integer') return words.includes('year') && periodOf([`${min}`, `${max}`]) === 'year'
  return type === 'text' && periodOf((values ?? examples).map(String)) !== undefined
}

const notOfTime = /^(?:per|id|nr|no|number|code|key|version)$/

/** The span of time that comes `later` spans after the first, in the same spelling. */
export function periodAfter(first: string, later: number, period: Period): string {
  const [years = 0, number = 1, day = 1] = (first.match(/\d+/g) ?? []).map(Number)
  if (period === 'year') return String(years + later)
  if (period === 'day')
    return daysIn(years, number, day + later)
      .toISOString()
      .slice(0, 10)
  if (period === 'week') return weekAfter(first, years, number + later)
  const count = period === 'month' ? 12 : 4
  const at = years * count + number - 1 + later
  return spelledAs(first, Math.floor(at / count), (at % count) + 1)
}

/** A week belongs to the year of its Thursday, as the first one does, with 4 January in it. */
function weekAfter(first: string, years: number, number: number): string {
  const monday = 4 - ((daysIn(years, 1, 4).getUTCDay() + 6) % 7)
  const thursday = daysIn(years, 1, monday + 3 + 7 * (number - 1))
  const own = thursday.getUTCFullYear()
  const days = (thursday.getTime() - daysIn(own, 1, 1).getTime()) / 86_400_000
  return spelledAs(first, own, Math.floor(days / 7) + 1)
}

function daysIn(years: number, month: number, day: number): Date {
  return new Date(Date.UTC(years, month - 1, day))
}

function spelledAs(first: string, years: number, number: number): string {
  const width = first.match(/\d+$/)?.[0].length ?? 0
  return first.replace(/\d+$/, String(number).padStart(width, '0')).replace(/^\d+/, String(years))
}

import type { Period } from '../tables/request.ts'
import { monthNames } from './vocabulary.ts'
import type { Token } from './words.ts'

export interface ReadPeriod {
  readonly next: number
  readonly period?: Period
  /** A month without a year. */
  readonly month?: number
  /** The number, when the period is a bare year and could be just a number. */
  readonly year?: number
}

/** Reads `2024-03-05`, `5 March 2024`, `March 2024`, `Q2 2024`, `2024` or `March` at a place in the sentence. */
export function readPeriod(tokens: readonly Token[], at: number): ReadPeriod | undefined {
  const token = tokens[at]
  if (token === undefined) return undefined
  if (token.kind === 'date') return { period: toDay(token.text), next: at + 1 }
  const quarter = /^q([1-4])$/.exec(token.word)
  if (quarter !== null) return readQuarter(tokens, at, Number(quarter[1]))
  const month = monthOf(token)
  if (month !== undefined) return readMonthFirst(tokens, at, month)
  if (token.kind !== 'number') return undefined
  return readDayFirst(tokens, at) ?? readYear(token, at)
}

export function monthOf(token: Token | undefined): number | undefined {
  if (token?.kind !== 'word' || token.word.length < 3) return undefined
  const index = monthNames.findIndex(
    (name) =>
      name === token.word ||
      (token.word !== 'mar' && name.slice(0, 3) === token.word) ||
      (name === 'september' && token.word === 'sept'),
  )
  return index < 0 ? undefined : index + 1
}

export function toMonth(year: number, month: number, months = 1): Period {
  return { from: firstOf(year, month), to: firstOf(year, month + months) }
}

function readQuarter(
  tokens: readonly Token[],
  at: number,
  quarter: number,
): ReadPeriod | undefined {
  const year = yearAt(tokens, at + 1)
  return year === undefined
    ? undefined
    : { period: toMonth(year, quarter * 3 - 2, 3), next: at + 2 }
}

function readMonthFirst(tokens: readonly Token[], at: number, month: number): ReadPeriod {
  const year = yearAt(tokens, at + 1)
  if (year !== undefined) return { period: toMonth(year, month), next: at + 2 }
  const day = dayAt(tokens, at + 1)
  if (day === undefined) return { month, next: at + 1 }
  const after = skipOrdinal(tokens, at + 2)
  const place = tokens[after]?.word === ',' ? after + 1 : after
  const dayYear = yearAt(tokens, place)
  return dayYear === undefined
    ? { month, next: at + 1 }
    : { period: toDay(dateText(dayYear, month, day)), next: place + 1 }
}

function readDayFirst(tokens: readonly Token[], at: number): ReadPeriod | undefined {
  const day = dayAt(tokens, at)
  let place = skipOrdinal(tokens, at + 1)
  if (tokens[place]?.word === 'of') place++
  const month = monthOf(tokens[place])
  const year = yearAt(tokens, place + 1)
  if (day === undefined || month === undefined || year === undefined) return undefined
  return { period: toDay(dateText(year, month, day)), next: place + 2 }
}

function readYear(token: Token, at: number): ReadPeriod | undefined {
  if (!/^\d{4}$/.test(token.text) || token.value < 1800 || token.value > 2200) return undefined
  return { period: toMonth(token.value, 1, 12), year: token.value, next: at + 1 }
}

function yearAt(tokens: readonly Token[], at: number): number | undefined {
  const token = tokens[at]
  return token?.kind === 'number' &&
    /^\d{4}$/.test(token.text) &&
    token.value >= 1800 &&
    token.value <= 2200
    ? token.value
    : undefined
}

function dayAt(tokens: readonly Token[], at: number): number | undefined {
  const token = tokens[at]
  return token?.kind === 'number' &&
    /^\d{1,2}$/.test(token.text) &&
    token.value >= 1 &&
    token.value <= 31
    ? token.value
    : undefined
}

function skipOrdinal(tokens: readonly Token[], at: number): number {
  return /^(?:st|nd|rd|th)$/.test(tokens[at]?.word ?? '') ? at + 1 : at
}

function toDay(text: string): Period {
  const day = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) return { from: text, to: `${text}~` }
  return { from: text, to: new Date(day.getTime() + 86_400_000).toISOString().slice(0, 10) }
}

function firstOf(year: number, month: number): string {
  const ahead = Math.floor((month - 1) / 12)
  return dateText(year + ahead, month - ahead * 12, 1)
}

function dateText(year: number, month: number, day: number): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

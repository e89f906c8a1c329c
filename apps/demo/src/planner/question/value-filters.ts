import type { Filter } from '../tables/request.ts'
import type { ColumnRef } from '../tables/table-info.ts'
import { flagOf, isNumeric } from '../tables/table-info.ts'
import type { Scan } from './scan.ts'
import { columnOf, isUsed, mentionAt, namesTable, take, wordAt } from './scan.ts'
import type { Mention, ValueOption } from './schema-match.ts'

/** "in the North", "not cancelled", "lattes or teas": words that are known values of a column. */
export function findValueFilters(scan: Scan): readonly Filter[] {
  const filters: Filter[] = []
  for (const mention of scan.mentions) {
    if (isUsed(scan, mention)) continue
    const values = valuesOf(scan, mention)
    const first = values[0]
    if (first === undefined) continue
    take(scan, mention.start, mention.end)
    takeColumnAround(scan, mention, first)
    const names = [...new Set(values.map((option) => option.value))]
    filters.push({
      columns: [first],
      test: { kind: 'one-of', values: names },
      negated: isNegatedAt(scan, mention.start),
      at: mention.start,
    })
  }
  return mergeSameColumn(filters)
}

/** "paid", "were readmitted", "not insured": a yes/no column named like an adjective. */
export function findFlagFilters(scan: Scan): readonly Filter[] {
  const filters: Filter[] = []
  for (const mention of scan.mentions) {
    if (isUsed(scan, mention) || namesTable(scan, mention)) continue
    const column = columnOf(scan, mention)
    const flag = column === undefined ? undefined : flagOf(column.column)
    if (column === undefined || flag === undefined || column.score < 0.5) continue
    const after = /^(?:is|was|=|:|of)$/.test(wordAt(scan, mention.end))
      ? wordAt(scan, mention.end + 1)
      : wordAt(scan, mention.end)
    const saidNo = /^(?:no|false|n|0)$/.test(after)
    const end = saidNo || /^(?:yes|true|y|1)$/.test(after) ? mention.end + 1 : mention.end
    take(scan, mention.start, end)
    filters.push({
      columns: [column],
      test: { kind: 'one-of', values: [flag.yes] },
      negated: saidNo !== isNegatedAt(scan, mention.start),
      at: mention.start,
    })
  }
  return filters
}

/** "without a comment", "no discharge date", "comments missing", "with a note". */
export function findEmptyFilters(scan: Scan): readonly Filter[] {
  const filters: Filter[] = []
  for (const mention of scan.mentions) {
    if (isUsed(scan, mention)) continue
    const column = columnOf(scan, mention)
    if (column === undefined || column.score < 0.45 || flagOf(column.column) !== undefined) continue
    const kind = emptinessAt(scan, mention, column)
    if (kind === undefined) continue
    take(scan, mention.start, mention.end)
    filters.push({
      columns: [column],
      test: { kind: 'empty' },
      negated: kind === 'filled',
      at: mention.start,
    })
  }
  return filters
}

/** "quantity of 2", "aged 30", "order 1042": a number that stands right beside its column. */
export function findNumberFilters(scan: Scan): readonly Filter[] {
  const filters: Filter[] = []
  scan.tokens.forEach((token, index) => {
    if (token.kind !== 'number' || scan.used.has(index)) return
    const filler = /^(?:is|was|were|of|=|:|equals|no|nr|number|are)$/.test(wordAt(scan, index - 1))
      ? 1
      : 0
    const before = mentionAt(scan, index - 1 - filler)
    const column =
      before === undefined || isUsed(scan, before) ? undefined : columnOf(scan, before, 'number')
    if (column === undefined || column.score < 0.5) return
    take(scan, index, index + 1)
    if (before !== undefined) take(scan, before.start, before.end)
    filters.push({
      columns: [column],
      test: { kind: 'compare', comparison: '=', value: token.value },
      negated: false,
      at: index,
    })
  })
  return filters
}

/** "not renewed", "never used", where the column counts how often: zero times. */
export function findNeverFilters(scan: Scan): readonly Filter[] {
  return scan.mentions.flatMap((mention): readonly Filter[] => {
    const verb = (scan.tokens[mention.end - 1]?.word ?? '').endsWith('ed')
    const column = columnOf(scan, mention, 'number')
    if (
      !verb ||
      isUsed(scan, mention) ||
      column === undefined ||
      column.score < 0.5 ||
      column.column.min !== 0 ||
      !isNegatedAt(scan, mention.start)
    )
      return []
    take(scan, mention.start, mention.end)
    return [
      {
        columns: [column],
        test: { kind: 'compare', comparison: '=', value: 0 },
        negated: false,
        at: mention.start,
      },
    ]
  })
}

export function isNegatedAt(scan: Scan, start: number): boolean {
  let index = start - 1
  // "not paid by card": one participle may stand between.
  const linked = /^(?:in|from|by|at|for|to|with|on|as)$/.test(wordAt(scan, index))
  const participle = /(?:ed|en|id|nt|ght|ld|me|ne|de)$/.test(wordAt(scan, index - 1))
  if (linked && participle && /^(?:not|never)$/.test(wordAt(scan, index - 2))) return true
  while (
    index >= 0 &&
    /^(?:the|a|an|any|in|from|by|at|for|to|with|is|be|been|being|was|were|are|of|those|ones)$/.test(
      wordAt(scan, index),
    )
  )
    index--
  if (wordAt(scan, index) === '-') index--
  const word = wordAt(scan, index)
  if (/^(?:not|non|without|excluding|except|excepting|exclude|never|neither|nor|no|un)$/.test(word))
    return true
  const pair = `${wordAt(scan, index - 1)} ${word}`
  return (
    /^(?:other than|apart from|everything but|everyone but|all but|anything but|anywhere but)$/.test(
      pair,
    ) ||
    (word === 'but' && index > 0 && /^(?:all|every\w*)$/.test(wordAt(scan, index - 1)))
  )
}

/** The values meant, all of one column; empty when the words rather name a column or a table. */
function valuesOf(scan: Scan, mention: Mention): readonly ValueOption[] {
  const options = mention.values.filter((option) => scan.reach.includes(option.table))
  const best = options[0]
  if (best === undefined) return []
  const rival = Math.max(
    columnOf(scan, mention)?.score ?? 0,
    namesTable(scan, mention) ? (mention.tables[0]?.score ?? 0) : 0,
  )
  if (rival > best.score) return []
  const equals = options.filter((option) => option.score > best.score - 0.01)
  const named = equals.find((option) => columnNamedBefore(scan, mention, option))
  const chosen = named ?? equals.find((option) => option.table === scan.table) ?? best
  return options.filter(
    (option) => option.column === chosen.column && option.score > best.score - 0.1,
  )
}

function columnNamedBefore(scan: Scan, mention: Mention, ref: ColumnRef): boolean {
  const before = scan.mentions.filter((other) => other.end <= mention.start).at(-1)
  return before !== undefined && columnOf(scan, before)?.column === ref.column
}

/** `the North region`, `region = North`: the column's own name beside its value says nothing more. */
function takeColumnAround(scan: Scan, mention: Mention, ref: ColumnRef): void {
  const after = mentionAt(scan, mention.end)
  if (after?.columns.some((option) => option.column === ref.column && option.score >= 0.5))
    take(scan, after.start, after.end)
  let index = mention.start - 1
  while (/^(?:is|was|are|were|=|:|of|the|equals|not)$/.test(wordAt(scan, index))) index--
  const before = mentionAt(scan, index)
  const meansIt =
    before?.columns.some((option) => option.column === ref.column && option.score >= 0.5) ?? false
  if (before !== undefined && meansIt && index < mention.start - 1)
    take(scan, before.start, before.end)
}

function emptinessAt(
  scan: Scan,
  mention: Mention,
  column: ColumnRef,
): 'empty' | 'filled' | undefined {
  let index = mention.start - 1
  while (/^(?:a|an|any|the|their|its|recorded|known|given)$/.test(wordAt(scan, index))) index--
  const before = wordAt(scan, index)
  const rest = [0, 1, 2, 3].map((offset) => wordAt(scan, mention.end + offset)).join(' ')
  const after =
    /^(?:(?:is|was|are|were|field|value|being) )?(not )?(?:been )?(missing|empty|blank|null|unknown|unrecorded|absent|recorded|given|filled|present|known)\b/.exec(
      rest,
    )
  const said = after?.[2] ?? ''
  if (said !== '') {
    const filled =
      /^(?:recorded|given|filled|present|known)$/.test(said) === (after?.[1] === undefined)
    // Where nothing is missing, "recorded" says nothing.
    return filled && column.column.empty === 0 ? undefined : filled ? 'filled' : 'empty'
  }
  if (
    /^(?:no|without|missing|lacking|lack|lacks|empty|blank|unknown|unrecorded|unspecified)$/.test(
      before,
    )
  )
    return 'empty'
  if (
    /^(?:don t|do not|does not|did not|didn t|not) (?:have|has)$/.test(
      `${wordAt(scan, index - 2)} ${wordAt(scan, index - 1)} ${before}`.trim(),
    )
  )
    return 'empty'
  if (before === 'have' && wordAt(scan, index - 1) === 'not') return 'empty'
  const optional = column.column.empty > 0 && !isNumeric(column.column)
  return optional && /^(?:with|has|have|having|had)$/.test(before) ? 'filled' : undefined
}

function mergeSameColumn(filters: readonly Filter[]): readonly Filter[] {
  const merged: Filter[] = []
  for (const filter of filters) {
    const at = merged.findIndex(
      (other) =>
        other.negated === filter.negated && other.columns[0]?.column === filter.columns[0]?.column,
    )
    const earlier = merged[at]
    if (earlier?.test.kind !== 'one-of' || filter.test.kind !== 'one-of') {
      merged.push(filter)
      continue
    }
    merged[at] = {
      ...earlier,
      test: {
        kind: 'one-of',
        values: [...new Set([...earlier.test.values, ...filter.test.values])],
      },
    }
  }
  return merged
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSql } from './query.ts'
import { createReader } from './question.ts'
import {
  type Column,
  type Filter,
  isAmount,
  isDate,
  type Key,
  type Reading,
  type Table,
  toQuestion,
} from './reading.ts'
import { kindsOf } from './words.ts'

// Also words of the grammar, and what would break out of quotes.
const awkward = [
  'count',
  'by',
  'mean',
  'month',
  'the',
  'a "b"',
  "o'clock",
  'x; DROP TABLE y',
  '5',
  '%',
  'is',
]
const name = fc.oneof(
  fc.constantFrom(
    'price',
    'unit_price',
    'City',
    'soldOn',
    'Größe',
    'name of country',
    'customer id',
  ),
  fc.constantFrom(...awkward),
  fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() === text),
)
const unique = (names: readonly string[]) =>
  new Set(names.map((one) => one.toLowerCase())).size === names.length
const text = fc.record({
  type: fc.constant('text' as const),
  values: fc.uniqueArray(name, { minLength: 1, maxLength: 6 }),
})
const days = ['2024-01-05', '2024-02-06']
const dates = fc.record({
  type: fc.constant('text' as const),
  values: fc.boolean().map(() => [...days]),
})
const number = fc.record({ type: fc.constantFrom('integer' as const, 'real' as const) })
const column: fc.Arbitrary<Column> = fc
  .tuple(name, fc.oneof(text, number, dates))
  .map(([own, rest]) => ({
    name: own,
    empty: 1,
    distinct: 'values' in rest ? rest.values.length : 9,
    examples: 'values' in rest ? rest.values.slice(0, 3) : [1, 2.5],
    ...rest,
  }))
const table = (called: string): fc.Arbitrary<Table> =>
  fc
    .array(column, { minLength: 1, maxLength: 6 })
    .filter((columns) => unique(columns.map((one) => one.name)))
    .map((columns) => ({
      table: called,
      file: `${called}.csv`,
      rows: 40,
      bytes: 1,
      columns,
      notes: [],
    }))
const meant = /["\n\r`]|^(?:number of )?(?:row|record|entr|order|year|month|day)|^[\d-]/i

/** Where no name or value is a word of the grammar, and no name a value. */
const plainTable = table('orders').filter(({ columns }) => {
  const names = columns.map((one) => one.name)
  const values = columns.flatMap((one) => one.values ?? [])
  const isPlain = (own: string) => kindsOf(own.toLowerCase()).length === 0 && !meant.test(own)
  return [...names, ...values].every(isPlain) && !values.some((value) => names.includes(value))
})
const tables = fc.oneof(
  table('orders').map((one) => [one]),
  fc.tuple(table('orders'), table('stock_2')),
)

test('each question that is offered is read as just what it says', () => {
  fc.assert(
    fc.property(tables, (all) => {
      const reader = createReader(all)
      for (const chip of reader.chips()) {
        const read = reader.read(chip)
        if ('nearest' in read) throw new Error(`Not read: ${chip}`)
        expect(read.map((reading) => reader.askFor(reading))).toEqual([chip])
      }
    }),
    { numRuns: 100 },
  )
})

const measure = (one: Table) =>
  fc.constantFrom<Reading['measure']>(
    {},
    ...one.columns.flatMap((column): Reading['measure'][] =>
      isAmount(column, one)
        ? [
            { column, as: 'mean' },
            { column, as: 'max' },
            { column, as: 'median' },
          ]
        : [{ column, as: 'different' }],
    ),
  )
const filter = ({ columns }: Table): fc.Arbitrary<Filter> =>
  fc
    .constantFrom(...columns)
    .chain((column) =>
      fc.constantFrom<Filter>(
        { column, sign: 'is given', values: [] },
        ...(column.type === 'text'
          ? isDate(column)
            ? [{ column, part: 'month', sign: 'under', values: ['2024-02'] } as const]
            : [
                { column, sign: 'is', values: column.values ?? ['x'] } as const,
                { column, sign: 'is not', values: ['not "listed"'] } as const,
              ]
          : [{ column, sign: 'at least', values: [-1.5] } as const]),
      ),
    )
const reading = (one: Table): fc.Arbitrary<Reading> =>
  fc
    .record({
      table: fc.constant(one),
      show: fc.constant('measure' as const),
      measure: measure(one),
      keys: fc.subarray(
        one.columns.map((column): Key => (isDate(column) ? { column, part: 'year' } : { column })),
        { maxLength: Math.min(2, one.columns.length) },
      ),
      filters: fc.uniqueArray(filter(one), { maxLength: 2, selector: ({ column }) => column }),
    })
    .chain((part) =>
      fc.constantFrom<Reading>(
        part,
        ...(part.keys.length === 1
          ? [
              { ...part, top: { count: 3, end: 'bottom' } } as const,
              { ...part, isPlot: true } as const,
            ]
          : []),
      ),
    )

test('whatever can be asked is read back as just that', () => {
  fc.assert(
    fc.property(plainTable.chain(reading), (one) => {
      const reader = createReader([one.table])
      const question = reader.askFor(one)

      if (question === undefined) throw new Error(`Not read: ${toQuestion(one, true, '')}`)
      expect(reader.read(question)).toEqual([one])
    }),
    { numRuns: 150 },
  )
})

test('no more than names that are spelled alike keep a table from being asked about', () => {
  const plain = { table: 'orders', file: 'o.csv', rows: 40, bytes: 1, notes: [] }
  const columns = awkward.map((own) => ({
    name: own,
    type: 'text' as const,
    empty: 0,
    distinct: 3,
    examples: [],
    values: ['x', 'y', 'z'],
  }))

  for (const one of columns)
    expect([one.name, createReader([{ ...plain, columns: [one] }]).chips().length]).toEqual([
      one.name,
      4,
    ])
})

test('one more word that means something is never passed over, and what is offered instead is answered', () => {
  const words = fc.constantFrom(
    'unique',
    'growth',
    'not',
    'never',
    'expensive',
    'than',
    'it',
    'except',
    'humidity',
    'twice',
    'zzz',
    'without',
    'average',
    'or',
  )
  fc.assert(
    fc.property(tables, words, fc.tuple(fc.nat(), fc.nat()), (all, word, [which, place]) => {
      const reader = createReader(all)
      const chips = reader.chips()
      const chip = chips[which % Math.max(1, chips.length)]
      if (chip === undefined || chip.includes('"')) return
      const pieces = chip.split(' ')
      const question = pieces.toSpliced(place % (pieces.length + 1), 0, word).join(' ')

      const read = reader.read(question)

      // Where the word has a meaning in its place, the reading says so.
      if (!('nearest' in read)) {
        for (const reading of read) expect(reader.askFor(reading)?.split(' ')).not.toEqual(pieces)
        return
      }
      expect(read.nearest.length).toBeGreaterThan(0)
      for (const near of read.nearest) expect(reader.read(near)).not.toHaveProperty('nearest')
    }),
    { numRuns: 150 },
  )
})

test('a word that the table does not know is always refused, wherever it stands', () => {
  fc.assert(
    fc.property(tables, fc.nat(), fc.nat(), (all, which, place) => {
      const reader = createReader(all)
      const chips = reader.chips()
      const pieces = chips[which % Math.max(1, chips.length)]?.split(' ') ?? []
      const question = pieces.toSpliced(place % (pieces.length + 1), 0, 'qqqwww').join(' ')
      const isInside =
        (question.slice(0, question.indexOf('qqqwww')).match(/"/g)?.length ?? 0) % 2 === 1
      if (isInside) return

      expect(reader.read(question)).toHaveProperty('nearest')
    }),
    { numRuns: 150 },
  )
})

test('names and values stand in SQL as they are, whatever they hold', () => {
  const hostile = fc.string({ minLength: 1 })
  fc.assert(
    fc.property(hostile, hostile, (own, value) => {
      const of = {
        name: own,
        type: 'text' as const,
        empty: 0,
        distinct: 2,
        examples: [],
        values: [value, 'other'],
      }
      const sql = toSql({
        table: { table: own, file: 'f', rows: 2, bytes: 1, columns: [of], notes: [] },
        show: 'measure',
        measure: {},
        keys: [{ column: of }],
        filters: [{ column: of, sign: 'is', values: [value] }],
      })
      const bare = sql.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, '?')

      expect(bare).toBe(
        'SELECT k0 AS ?, m AS ? FROM (SELECT k0, COUNT(*) AS m FROM (SELECT ? AS k0, 1 AS v FROM ? WHERE ? IN (?)) GROUP BY k0) ORDER BY m DESC, k0',
      )
    }),
  )
})

test('the words of a reading are quoted where plain ones would mean something else', () => {
  const of = (own: string) => ({
    name: own,
    type: 'real' as const,
    empty: 0,
    distinct: 9,
    examples: [1],
  })
  const one = {
    table: 't',
    file: 'f',
    rows: 9,
    bytes: 1,
    columns: [of('mean of price'), of('price')],
    notes: [],
  }
  const reading = {
    table: one,
    show: 'measure' as const,
    measure: { column: of('price'), as: 'mean' as const },
    keys: [],
    filters: [],
  }

  expect(toQuestion(reading, false, '')).toBe('mean of price')
  expect(createReader([one]).askFor(reading)).toBe('mean of "price"')
})

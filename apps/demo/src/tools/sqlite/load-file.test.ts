import { readFileSync } from 'node:fs'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '../experiments.ts'
import type { Cell } from '../table/cell-type.ts'
import { bytesOf, PiecewiseFile } from '../tools.fixtures.ts'
import { type LoadedFile, type LoadJob, loadFile, type ReadState } from './load-file.ts'
import { type QueryResult, runQuery } from './run-query.ts'
import { startSqlite } from './start-sqlite.ts'

let sqlite: Sqlite3Static
beforeAll(async () => {
  sqlite = await startSqlite(undefined)
})

describe('formats', () => {
  const expected = [
    [1, 'Ann, "A."', 2.5, '007'],
    [2, null, null, '12'],
    [3, 'ß🙂', -1, 'x'],
  ]
  test.each([
    ['comma', 'id,name,score,code\n1,"Ann, ""A.""",2.5,007\n2,,,12\n3,ß🙂,-1,x\n'],
    ['semicolon', 'id;name;score;code\r\n1;"Ann, ""A.""";2.5;007\r\n2;;;12\r\n3;ß🙂;-1;x'],
    ['tab', 'id\tname\tscore\tcode\n1\t"Ann, ""A."""\t2.5\t007\n2\t\t\t12\n3\tß🙂\t-1\tx\n'],
    [
      'a byte order mark',
      '\uFEFFid,name,score,code\n1,"Ann, ""A.""",2.5,007\n2,,,12\n3,ß🙂,-1,x\n',
    ],
    [
      'comments before the header',
      '# by: me, today\n# twice\nid,name,score,code\n1,"Ann, ""A.""",2.5,007\n2,,,12\n3,ß🙂,-1,x\n',
    ],
    [
      'tab with the header in a comment',
      '# made up\n#id\tname\tscore\tcode\n1\tAnn, "A."\t2.5\t007\n# more\n2\t\t\t12\n3\tß🙂\t-1\tx\n',
    ],
    ['JSON array', JSON.stringify(objects())],
    ['JSON in an object', JSON.stringify({ total: 3, people: objects() }, null, 1)],
    [
      'NDJSON',
      objects()
        .map((row) => JSON.stringify(row))
        .join('\n'),
    ],
  ])('%s, in pieces of any size', async (_, text) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const loaded = await load(text, { pieceSize: size })
      expect(loaded.rows).toBe(3)
      expect(loaded.columns.map(({ name, type }) => [name, type])).toEqual([
        ['id', 'integer'],
        ['name', 'text'],
        ['score', 'real'],
        ['code', 'text'],
      ])
      expect((await query(loaded, 'SELECT * FROM t')).rows).toEqual(expected)
    }
  })

  function objects() {
    return [
      { id: 1, name: 'Ann, "A."', score: 2.5, code: '007' },
      { id: 2, name: null, code: '12' },
      { id: 3, name: 'ß🙂', score: -1, code: 'x' },
    ]
  }
})

describe('columns', () => {
  test('have a profile', async () => {
    const loaded = await load('n,r,t,e\n3,1.5,b,\n1,-2,a,\n,,b,\n1,0.5,,\n')
    expect(loaded.columns).toEqual([
      { name: 'n', type: 'integer', empty: 1, distinct: 2, examples: [3, 1], min: 1, max: 3 },
      {
        name: 'r',
        type: 'real',
        empty: 1,
        distinct: 3,
        examples: [1.5, -2, 0.5],
        min: -2,
        max: 1.5,
      },
      { name: 't', type: 'text', empty: 1, distinct: 2, values: ['a', 'b'], examples: ['b', 'a'] },
      { name: 'e', type: 'text', empty: 4, distinct: 0, values: [], examples: [] },
    ])
  })

  test('list their values only if there are at most 30', async () => {
    const text = (count: number) =>
      ['v', ...Array.from({ length: count }, (_, i) => `v${i}`)].join('\n')
    expect((await load(text(30))).columns[0]?.values).toHaveLength(30)
    expect((await load(text(31))).columns[0]).toMatchObject({ distinct: 31 })
    expect((await load(text(31))).columns[0]).not.toHaveProperty('values')
  })

  test('get usable names and keep odd ones', async () => {
    const loaded = await load('id,,Id,"a ""b"" c",select\n1,2,3,4,5\n')
    expect(loaded.columns.map(({ name }) => name)).toEqual([
      'id',
      'column_2',
      'Id_2',
      'a "b" c',
      'select',
    ])
    expect((await query(loaded, 'SELECT "a ""b"" c", "select" FROM t')).rows).toEqual([[4, 5]])
  })

  test('of JSON may appear late, and strings of JSON stay text', async () => {
    const rows = [
      { a: 1, s: '12' },
      ...Array.from({ length: 50_000 }, () => ({ a: 2, s: '13' })),
      { a: 3, late: { x: [true] } },
    ]
    const loaded = await load(JSON.stringify(rows))
    expect(loaded.columns.map(({ name, type }) => [name, type])).toEqual([
      ['a', 'integer'],
      ['s', 'text'],
      ['late', 'text'],
    ])
    expect((await query(loaded, 'SELECT a, s, late FROM t WHERE a <> 2')).rows).toEqual([
      [1, '12', null],
      [3, null, '{"x":[true]}'],
    ])
  })
})

describe('types are those of the whole column', () => {
  // Makes the rows longer than a megabyte together.
  const filler = 'abc '.repeat(15)
  const body = (value: string) => Array.from({ length: 30_000 }, () => value)

  test.each([
    {
      of: 'an integer column turns real',
      many: '12',
      last: '2.5',
      type: 'real',
      stored: [12, 2.5],
    },
    {
      of: 'an integer column turns text',
      many: '12',
      last: 'n/a',
      type: 'text',
      stored: ['12', 'n/a'],
    },
    {
      of: 'a real column turns text, unchanged',
      many: '1.50',
      last: 'x',
      type: 'text',
      stored: ['1.50', 'x'],
    },
    {
      of: 'an empty column turns integer',
      many: '',
      last: '5',
      type: 'integer',
      stored: [null, 5],
    },
    {
      of: 'a leading zero makes text',
      many: '12',
      last: '007',
      type: 'text',
      stored: ['12', '007'],
    },
  ])('$of far behind the first megabyte', async ({ many, last, type, stored }) => {
    const states: ReadState[] = []
    const text = [
      'k,v',
      ...body(many).map((value) => `${filler},${value}`),
      `${filler},${last}`,
    ].join('\n')
    const loaded = await load(text, { onRead: (state) => states.push(state) })
    const ends = await query(loaded, 'SELECT v FROM t WHERE rowid = 1 OR rowid = 30001')
    expect(loaded.columns[1]?.type).toBe(type)
    expect(ends.rows.flat()).toEqual(stored)
    expect(states.every(({ read }, i) => i === 0 || read >= (states[i - 1]?.read ?? 0))).toBe(true)
    expect(states.at(-1)).toEqual({ read: text.length * 2, total: text.length * 2, rows: 30_001 })
  })

  test('and a file whose first lines show them is read once', async () => {
    const states: ReadState[] = []
    const text = ['k,v,w', ...body('12').map((value, i) => `${filler}${i},${value},${i / 4}`)].join(
      '\n',
    )
    const loaded = await load(text, { onRead: (state) => states.push(state) })
    expect(loaded.columns.map(({ type }) => type)).toEqual(['text', 'integer', 'real'])
    expect(states.at(-1)).toEqual({ read: text.length, total: text.length, rows: 30_000 })
  })

  test('and numbers that are written with more than digits are noted', async () => {
    const text = 'n,p,phone,when\n"$1,234.50",12%,030 12,2024\n"$2,000",$5,030 13,2025\n'
    expect((await load(text)).notes).toEqual([
      'Column "n" is text, because its numbers have more than digits: "$1,234.50", for example. Without that they can be computed with.',
      'Column "p" is text, because its numbers have more than digits: "12%", for example. Without that they can be computed with.',
    ])
  })

  test('and a few texts among numbers are noted', async () => {
    const text = ['v', ...Array.from({ length: 99 }, (_, i) => String(i)), 'n/a'].join('\n')
    expect((await load(text)).notes).toEqual([
      'Column "v" is text, because 1 value of 100 cannot be stored as a number: "n/a", for example.',
    ])
  })
})

describe('the same as plain code', () => {
  test('for a large table with everything in it', async () => {
    const random = createRandom(3)
    const table = Array.from({ length: 60_000 }, (_, i) => ({
      id: i,
      region: ['North', 'South', 'East, West', 'a "b"', null][Math.floor(random() * 5)] ?? null,
      amount: random() < 0.05 ? null : Math.round(random() * 1e6) / 100,
      note: random() < 0.5 ? `line\none ${i % 977}` : null,
    }))
    const cell = (value: string | number | null) =>
      typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : (value ?? '')
    const text = [
      'id,region,amount,note',
      ...table.map((row) => Object.values(row).map(cell).join(',')),
    ].join('\r\n')
    const loaded = await load(text)

    const byRegion = new Map<string | null, number[]>()
    for (const { region, amount } of table) {
      byRegion.set(
        region,
        [...(byRegion.get(region) ?? []), ...(amount === null ? [] : [amount])].slice(),
      )
    }
    const expected = [...byRegion].map(([region, amounts]) => [
      region,
      amounts.length,
      Math.max(...amounts),
    ])
    const result = await query(
      loaded,
      'SELECT region, count(amount), max(amount), sum(amount) FROM t GROUP BY region',
    )
    expect(result.rows.map((row) => row.slice(0, 3)).sort()).toEqual(expected.sort())
    const sum = table.reduce((total, { amount }) => total + (amount ?? 0), 0)
    expect(result.rows.reduce((total, row) => total + Number(row[3]), 0)).toBeCloseTo(sum, 4)
    expect(loaded.columns.map(({ empty }) => empty)).toEqual([
      0,
      table.filter(({ region }) => region === null).length,
      table.filter(({ amount }) => amount === null).length,
      table.filter(({ note }) => note === null).length,
    ])
    expect(loaded.columns.map(({ distinct }) => distinct)).toEqual([
      10_000,
      4,
      10_000,
      new Set(table.map(({ note }) => note)).size - 1,
    ])
  })

  test.each([
    ['zone1970.tab', 4],
    ['iso3166.tab', 2],
  ])('for %s', async (name, width) => {
    const bytes = readFileSync(new URL(`../fixtures/${name}`, import.meta.url))
    const rows = bytes
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t'))
    const loaded = await loadFile({
      sqlite,
      file: new Blob([bytes]),
      table: 't',
      ragged: 'error',
      onRead: async () => {},
    })
    expect(loaded.rows).toBe(rows.length)
    expect(loaded.columns).toHaveLength(width)
    loaded.columns.forEach(({ empty, distinct }, column) => {
      const values = rows.map((row) => row[column] ?? '').filter((value) => value !== '')
      expect({ empty, distinct }).toEqual({
        empty: rows.length - values.length,
        distinct: new Set(values).size,
      })
    })
    const stored: Cell[][] = []
    for (let offset = 0; offset < rows.length; offset += 50) {
      stored.push(
        ...(await query(loaded, `SELECT * FROM t ORDER BY rowid LIMIT 50 OFFSET ${offset}`)).rows,
      )
    }
    expect(stored).toEqual(
      rows.map((row) => Array.from({ length: width }, (_, column) => row[column] || null)),
    )
  })
})

describe('rejects with a sentence', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['an empty file', '', 'The file is empty.'],
    ['blanks', ' \n\n\t ', 'nothing but blanks'],
    ['only a byte order mark', '\uFEFF', 'nothing but blanks'],
    ['only a header', 'a,b,c\n', 'has a header (a, b, c) but no rows'],
    ['only comments', '# a\n# b\n', 'no header and no rows'],
    ['only comments and a header in them', '# a\n#b\tc\n', 'has a header (b, c) but no rows'],
    [
      'a short row',
      'a,b,c\n1,2,3\n"4\n4",5\n',
      '1 of 2 rows does not have 3 fields, as the header has: line 3 has 2. Such rows can be left out, padded with empty values, or shown.',
    ],
    [
      'a long row',
      'a,b\n1,2\n1,2,3\n',
      '1 of 2 rows does not have 2 fields, as the header has: line 3 has 3.',
    ],
    ['a zero byte', 'a,b\n1,\0\n', 'zero byte at byte 6'],
    [
      'bytes that are no UTF-8',
      Uint8Array.of(0x61, 0x2c, 0x62, 0x0a, 0xff, 0x2c, 0x31, 0x0a),
      'not valid UTF-8',
    ],
    ['half a character at the end', Uint8Array.of(0x61, 0x0a, 0x62, 0xc3), 'not valid UTF-8'],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x61, 0x00), 'UTF-16'],
    ['a spreadsheet', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), 'ZIP archive or a spreadsheet'],
    [
      'an image',
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d),
      'zero byte',
    ],
    [
      'a header that is no text',
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1),
      'zero byte at byte 4',
    ],
    ['an open quote', 'a,b\n1,"2\n3,4\n', 'never closed'],
    [
      'a JSON list of numbers',
      '[1, 2]',
      'The JSON is not a list of objects: "1" stands where row 1 is expected',
    ],
    ['a JSON list without rows', '[]', 'holds no rows'],
    ['a JSON list of empty objects', '[{},{}]', 'holds no rows'],
    ['cut JSON', '[{"a":1},{"a"', 'ends too early, after 1 whole rows'],
    ['a JSON row that is wrong', '[{"a":1},{"a":}]', 'Row 2 is not valid JSON'],
  ])('%s', async (_, content, message) => {
    await expect(load(content)).rejects.toThrow(message)
  })

  test('a row longer than 4 MB, long before the end of the file', async () => {
    const text = `a,b\n1,"${'x\n'.repeat(3_000_000)}`
    const states: ReadState[] = []
    await expect(load(text, { onRead: (state) => states.push(state) })).rejects.toThrow(
      'The row that begins in line 2 is longer than 4 MB',
    )
    expect(states.at(-1)?.read).toBeLessThan(5_000_000)
  })

  test('a file that can no longer be read', async () => {
    const file = new Blob(['a,b\n1,2\n'])
    file.slice = () => {
      throw new DOMException('The file was changed.', 'NotReadableError')
    }
    await expect(loadFile({ ...job(), file })).rejects.toThrow(
      'cannot be read. It may have been moved',
    )
  })

  test('too many columns', async () => {
    const header = Array.from({ length: 2001 }, (_, i) => `c${i}`).join(',')
    await expect(load(`${header}\n${','.repeat(2000)}\n`)).rejects.toThrow(
      'The file has 2,001 columns, and a table holds no more than 2,000. Leave some out.',
    )
  })
})

describe('rows that do not fit the header', () => {
  const text = 'a,b,c\n1\n1,2\n1,2,3\n"x\ny",5\n1,2,3,,5\n'

  test('are all counted, and the first are named', async () => {
    await expect(load(text)).rejects.toThrow(
      '4 of 5 rows do not have 3 fields, as the header has: line 2 has 1, line 3 has 2, line 5 has 2 and line 7 has 5. Such',
    )
    await expect(load(`a,b\n${'1,2\n'.repeat(3)}${'1\n'.repeat(9)}`)).rejects.toThrow(
      '9 of 12 rows do not have 2 fields, as the header has: line 5 has 1, line 6 has 1, line 7 has 1, line 8 has 1, line 9 has 1 and so on.',
    )
    await expect(load(`a,b\n${'1\n'.repeat(300_000)}`)).rejects.toThrow('More than 1000 rows')
  })

  test('are padded to the longest of them', async () => {
    const loaded = await load(text, { ragged: 'pad' })
    expect((await query(loaded, 'SELECT * FROM t')).rows).toEqual([
      ['1', null, null, null, null],
      ['1', 2, null, null, null],
      ['1', 2, 3, null, null],
      ['x\ny', 5, null, null, null],
      ['1', 2, 3, null, 5],
    ])
    expect(loaded.columns.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'column_4', 'column_5'])
    expect(loaded.notes).toContain('3 short rows filled with empty values.')
    expect(loaded.notes.join()).toContain('1 row had more fields than the header, up to 5')
  })

  test('are padded also when the longest is far behind the first', async () => {
    const far = `a,b\n${'1,2\n'.repeat(200_000)}1,2,3\n`
    const loaded = await load(far, { ragged: 'pad' })
    expect((await query(loaded, 'SELECT count(*), sum(column_3) FROM t')).rows).toEqual([
      [200_001, 3],
    ])
  })

  test('are left out', async () => {
    const loaded = await load(text, { ragged: 'skip' })
    expect((await query(loaded, 'SELECT * FROM t')).rows).toEqual([[1, 2, 3]])
    expect(loaded.notes).toEqual([
      '4 rows left out that did not have 3 fields, as the header has: line 2 has 1, line 3 has 2, line 5 has 2 and line 7 has 5.',
    ])
  })

  test('are shown with their lines, in pieces of any size', async () => {
    for (const pieceSize of [1, 3, 1000]) {
      const loaded = await load(text, { ragged: 'show', pieceSize })
      expect((await query(loaded, 'SELECT line, fields, text FROM t')).rows).toEqual([
        [2, 1, '1'],
        [3, 2, '1,2'],
        [5, 2, 'x\ny,5'],
        [7, 5, '1,2,3,,5'],
      ])
    }
    await expect(load('a,b\n1,2\n', { ragged: 'show' })).rejects.toThrow('Every row has as many')
  })
})

test('dates are dates: ISO text that sorts', async () => {
  const rows = ['2024-03-01,2024-03-01T10:00:00Z,01.03.2024', ',2024-01-01 09:30,02.03.2024']
  const loaded = await load(`day,at,german\n${rows.join('\n')}\n2023-12-31,2023-12-31,x\n`)
  expect(loaded.columns.map(({ type }) => type)).toEqual(['date', 'date', 'text'])
  expect(loaded.columns[0]).toMatchObject({ min: '2023-12-31', max: '2024-03-01', empty: 1 })
  expect((await query(loaded, 'SELECT typeof(day), max(at) FROM t')).rows).toEqual([
    ['text', '2024-03-01T10:00:00Z'],
  ])
  const mixed = await load(`day,n\n2024-03-01,1\n7,2024-01-01\n`)
  expect(mixed.columns.map(({ type }) => type)).toEqual(['text', 'text'])
})

describe('decimal commas', () => {
  const typesOf = ({ columns }: LoadedFile) => columns.map(({ type }) => type)

  test('are those of numbers where fields are separated otherwise', async () => {
    const text = 'city;fee;share\nBern;1.234,50;1,234\nRome;-7;0,5\nOslo;;12\nGraz;12,5;3\n'
    for (const size of [1, 7, 1000]) {
      const loaded = await load(text, { pieceSize: size })

      expect(typesOf(loaded)).toEqual(['text', 'real', 'real'])
      expect(loaded.notes).toEqual([
        'Column "fee" has decimal commas: 1.234,50 is read as 1234.50.',
        'Column "share" has decimal commas: 0,5 is read as 0.5.',
      ])
      const { rows } = await query(loaded, 'SELECT fee, share FROM t')
      expect(rows).toEqual([
        [1234.5, 1.234],
        [-7, 0.5],
        [null, 12],
        [12.5, 3],
      ])
    }
  })

  test.each([
    ['between thousands', 'a;n\nx;1,234\ny;5,678\n'],
    ['beside numbers with a point', 'a;n\nx;1,5\ny;2.5\n'],
    ['beside a text', 'a;n\nx;1,5\ny;none\n'],
    ['beside a date', 'a;n\nx;1,5\ny;2024-01-01\n'],
    ['in a list', 'a;n\nx;1,5\ny;1,5,7\n'],
    ['where they separate fields', 'a,n\nx,"1,5"\ny,"2,5"\n'],
  ])('are none %s: what is not clear stays as it is written', async (_, text) => {
    const loaded = await load(text)

    expect(typesOf(loaded)).toEqual(['text', 'text'])
    const written = text
      .split('\n')
      .slice(1, -1)
      .map((line) => line.slice(2).replaceAll('"', ''))
    expect((await query(loaded, 'SELECT n FROM t')).rows.flat()).toEqual(written)
  })

  test('that a text of a later row makes doubtful stay as they are written', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => `${at},5`)
    const loaded = await load(`n;m\n${rows.map((row) => `${row};1\n`).join('')}none;1\n`)

    expect(typesOf(loaded)).toEqual(['text', 'integer'])
    expect((await query(loaded, 'SELECT n FROM t LIMIT 1')).rows).toEqual([['0,5']])
    expect(loaded.notes.join()).toContain('"none", for example')
  })
})

describe('commas between thousands', () => {
  test('are those of whole numbers and of others, and are said', async () => {
    const rows = [
      'France,"1,234,567","1,000","1,234.50"',
      'Spain," 12,345 ",900,.5',
      'Oslo,,"2,500",7',
    ]
    const text = `country,revenue,units,share\n${rows.join('\n')}\n`
    for (const size of [1, 7, 1000]) {
      const loaded = await load(text, { pieceSize: size })

      expect(loaded.columns.map(({ type }) => type)).toEqual(['text', 'integer', 'integer', 'real'])
      expect(loaded.notes).toEqual([
        'Column "revenue" has commas between thousands: 1,234,567 is read as 1234567.',
        'Column "units" has commas between thousands: 1,000 is read as 1000.',
        'Column "share" has commas between thousands: 1,234.50 is read as 1234.50.',
      ])
      const { rows } = await query(loaded, 'SELECT sum(revenue), sum(units), sum(share) FROM t')
      expect(rows).toEqual([[1_246_912, 4400, 1242]])
    }
  })

  test('are found by a clear number where fields are separated otherwise', async () => {
    const loaded = await load('a;n\nx;1,234,567\ny;5,678\n')

    expect((await query(loaded, 'SELECT n FROM t')).rows.flat()).toEqual([1_234_567, 5678])
  })

  test.each([
    ['beside decimal commas', 'a;n\nx;1,234,567\ny;1,5\n'],
    ['after a zero', 'a,n\nx,"0,123"\ny,"1,000"\n'],
    ['in groups of other lengths', 'a,n\nx,"12,34,567"\ny,"1,000"\n'],
    ['where a number would lose digits', 'a,n\nx,"9,007,199,254,740,993"\ny,"1,000"\n'],
  ])('are none %s: what is not clear stays as it is written', async (_, text) => {
    const loaded = await load(text)

    const written = text
      .split('\n')
      .slice(1, -1)
      .map((line) => line.slice(2).replaceAll('"', ''))
    expect((await query(loaded, 'SELECT n FROM t')).rows.flat()).toEqual(written)
  })

  test('that may be decimal ones are said', async () => {
    expect((await load('a;n\nx;1,234\ny;5,678\n')).notes.join()).toContain('"1,234", for example')
  })

  test('that come late are found by a second reading', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => `${at}\n`)
    const loaded = await load(`n\n${rows.join('')}"1,234,567"\n`)

    expect((await query(loaded, 'SELECT max(n) FROM t')).rows).toEqual([[1_234_567]])
  })
})

test('a delimiter that is given is not guessed', async () => {
  const loaded = await load('a;b,c\n1;2,3\n', { delimiter: 'comma' })
  expect(loaded.columns.map(({ name }) => name)).toEqual(['a;b', 'c'])
})

test('what stops the reading stops the load', async () => {
  const text = `a\n${'1\n'.repeat(1_000_000)}`
  const stopping = loadFile({
    ...job(),
    file: new Blob([text]),
    onRead: () => Promise.reject(new Error('stop')),
  })
  await expect(stopping).rejects.toThrow('stop')
})

interface LoadOptions {
  readonly pieceSize?: number
  readonly ragged?: LoadJob['ragged']
  readonly delimiter?: LoadJob['delimiter']
  readonly onRead?: (state: ReadState) => unknown
}

function job(): Omit<LoadJob, 'file'> {
  return { sqlite, table: 't', ragged: 'error', onRead: async () => {} }
}

function load(
  content: string | Uint8Array<ArrayBuffer>,
  options: LoadOptions = {},
): Promise<LoadedFile> {
  const bytes = typeof content === 'string' ? bytesOf(content) : content
  return loadFile({
    ...job(),
    ragged: options.ragged ?? 'error',
    delimiter: options.delimiter,
    file: new PiecewiseFile(bytes, options.pieceSize ?? 65_536),
    onRead: async (state) => {
      options.onRead?.(state)
    },
  })
}

function query(loaded: LoadedFile, sql: string): Promise<QueryResult> {
  return runQuery({
    sqlite,
    images: new Map([['t', loaded.image]]),
    catalog: [],
    sql,
    onRows: async () => {},
  })
}

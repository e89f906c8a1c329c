import { describe, expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { bytesOf } from '../tools.fixtures.ts'
import { concatBytes, textOf } from './batch.ts'
import type { Dialect } from './tokenizer.ts'
import { byteOf, createTokenizer } from './tokenizer.ts'

const csv: Dialect = { delimiter: byteOf.comma, quotes: true, comments: false }
const tab: Dialect = { delimiter: byteOf.tab, quotes: false, comments: true }

describe('reads', () => {
  test.each<[string, string, string[][]]>([
    [
      'plain fields',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a last line without an end',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'CR alone',
      'a,b\rc,d\r',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'empty fields',
      ',\n,,\na,\n',
      [
        ['', ''],
        ['', '', ''],
        ['a', ''],
      ],
    ],
    ['an empty field at the very end', 'a,', [['a', '']]],
    ['a quoted delimiter', '"a,b",c\n', [['a,b', 'c']]],
    ['a quoted line break', '"a\r\nb",c\n', [['a\r\nb', 'c']]],
    ['doubled quotes', '"say ""hi""",""""\n', [['say "hi"', '"']]],
    ['an empty quoted field', '"",x\n', [['', 'x']]],
    ['a line of one empty quoted field', '""\n', [['']]],
    ['a quote inside a plain field', '5" pipe,x\n', [['5" pipe', 'x']]],
    ['blanks after a closing quote', '"a" ,b\n', [['a', 'b']]],
    ['blank lines as nothing', '\na\n\r\n\nb\n\n', [['a'], ['b']]],
    [
      'characters of several bytes',
      'ä,漢\n"🙂,",é\n',
      [
        ['ä', '漢'],
        ['🙂,', 'é'],
      ],
    ],
  ])('%s, cut anywhere', (_, text, expected) => {
    for (let cut = 0; cut <= bytesOf(text).length; cut++) {
      expect(readAll(csv, text, [cut])).toEqual(expected)
    }
  })

  test('comments and literal quotes where the dialect says so', () => {
    const text = '#x\na\t"b\n# y\t"\nc\td"\n#'
    for (let cut = 0; cut <= text.length; cut++) {
      expect(readAll(tab, text, [cut])).toEqual([
        ['a', '"b'],
        ['c', 'd"'],
      ])
    }
  })

  test('whatever a correct writer wrote, in pieces of any size', () => {
    const random = createRandom(1)
    const alphabet = ['a', '"', ',', '\n', '\r\n', '\r', ' ', 'ß', '🙂', '']
    for (let round = 0; round < 300; round++) {
      const table = times(1 + random() * 5, () =>
        times(2 + random() * 3, () =>
          times(random() * 5, () => alphabet[Math.floor(random() * alphabet.length)] ?? '').join(
            '',
          ),
        ),
      )
      const text = table
        .map((row) => row.map(quoteField).join(','))
        .join(random() < 0.5 ? '\n' : '\r\n')
      const size = bytesOf(text).length
      const cuts = times(random() * 6, () => Math.floor(random() * size)).sort((a, b) => a - b)
      expect(readAll(csv, text, cuts)).toEqual(table)
    }
  })
})

describe('lines', () => {
  test('are counted through quoted breaks, blank lines and any line end', () => {
    const bytes = bytesOf('a\n"b\nc"\r\n\r\nd\re\n')
    const records = createTokenizer(csv)(bytes, { line: 10, last: true })
    expect([...records.lines.subarray(0, records.count)]).toEqual([10, 11, 14, 15])
    expect([...records.offsets.subarray(0, records.count)]).toEqual([0, 2, 11, 13])
  })

  test('are the same wherever the text is cut', () => {
    const text = 'a\r\n"b\r\nc ""\r"\r\n\r\nd\re\n'
    for (let cut = 0; cut <= text.length; cut++) {
      expect(readLines(csv, text, [cut])).toEqual([1, 2, 6, 7])
    }
  })

  test('name a quote that is never closed', () => {
    expect(() => readAll(csv, 'a,b\nc,"d\ne,f\n', [])).toThrow('begins in line 2 is never closed')
  })

  test('name text after a closing quote', () => {
    expect(() => readAll(csv, 'a,b\n"c\n"x,d\n', [])).toThrow('Line 3: text follows the quote')
  })
})

function readAll(dialect: Dialect, text: string, cuts: readonly number[]): string[][] {
  return readRecords(dialect, text, cuts).map(({ fields }) => fields)
}

function readLines(dialect: Dialect, text: string, cuts: readonly number[]): number[] {
  return readRecords(dialect, text, cuts).map(({ line }) => line)
}

/** Reads text that is cut at some bytes, as a file is read. */
function readRecords(dialect: Dialect, text: string, cuts: readonly number[]) {
  const bytes = bytesOf(text)
  const tokenize = createTokenizer(dialect)
  const rows: { fields: string[]; line: number }[] = []
  let carry = new Uint8Array(0)
  let line = 1
  const edges = [0, ...cuts, bytes.length]
  for (let piece = 1; piece < edges.length; piece++) {
    const input = concatBytes(carry, bytes.subarray(edges[piece - 1], edges[piece]))
    const records = tokenize(input, { line, last: piece === edges.length - 1 })
    for (let record = 0, field = 0; record < records.count; record++) {
      const fields: string[] = []
      for (; field < (records.fieldEnds[record] ?? 0); field++) {
        fields.push(textOf(input, records.starts[field] ?? 0, records.ends[field] ?? 0))
      }
      rows.push({ fields, line: records.lines[record] ?? 0 })
    }
    line = records.line
    carry = input.slice(records.consumed)
  }
  expect(carry.length).toBe(0)
  return rows
}

function quoteField(field: string): string {
  return /[",\r\n]/.test(field) || field === '' ? `"${field.replaceAll('"', '""')}"` : field
}

function times<Item>(count: number, make: () => Item): Item[] {
  return Array.from({ length: Math.floor(count) }, make)
}

import { describe, expect, test } from 'vitest'
import { createRandom } from '../experiments.ts'
import { type Dialect, lineEnds, readRecords } from './delimited-records.ts'

const csv: Dialect = { delimiter: ',', newline: '\n', quotes: true, comments: false }
const tab: Dialect = { delimiter: '\t', newline: '\n', quotes: false, comments: true }

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
      'LF and CRLF in one text',
      'a,b\nc,d\r\n"e","f"\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
      ],
    ],
    ['a quoted CR before a CRLF', 'a,"b\r"\r\n', [['a', 'b\r']]],
    ['a quote at the end of a plain field', 'a,5"\r\n', [['a', '5"']]],
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
    for (let cut = 0; cut <= text.length; cut++) {
      expect(readAll(csv, text, [cut])).toEqual(expected)
    }
  })

  test('CR alone', () => {
    const text = 'a,b\rc,"d\r"\r\r'
    for (let cut = 0; cut <= text.length; cut++) {
      expect(readAll({ ...csv, newline: '\r' }, text, [cut])).toEqual([
        ['a', 'b'],
        ['c', 'd\r'],
      ])
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
      const size = text.length
      const cuts = times(random() * 6, () => Math.floor(random() * size)).sort((a, b) => a - b)
      expect(readAll(csv, text, cuts)).toEqual(table)
    }
  })
})

describe('lines', () => {
  test('are counted through quoted breaks, blank lines and comments, wherever the text is cut', () => {
    const text = 'a\r\n"b\r\nc ""\r"\r\n\r\nd\ne\n'
    for (let cut = 0; cut <= text.length; cut++) {
      expect(readLines(csv, text, [cut])).toEqual([1, 2, 6, 7])
    }
    const commented = '#x\na\n# y\n#\n\nb\nc\n'
    for (let cut = 0; cut <= commented.length; cut++) {
      expect(readLines(tab, commented, [cut])).toEqual([2, 6, 7])
    }
  })

  test('name a quote that is never closed', () => {
    expect(() => readAll(csv, 'a,b\nc,"d\ne,f\n', [])).toThrow('begins in line 2 is never closed')
  })

  test('name text after a closing quote', () => {
    expect(() => readAll(csv, 'a,b\nc,"d\ne"x,f\n', [])).toThrow(
      'The quoted field that begins in line 2 is followed by text. Inside a quoted field a quote must be doubled.',
    )
  })
})

function readAll(dialect: Dialect, text: string, cuts: readonly number[]) {
  return readCut(dialect, text, cuts).map(({ fields }) => fields)
}

function readLines(dialect: Dialect, text: string, cuts: readonly number[]) {
  return readCut(dialect, text, cuts).map(({ line }) => line)
}

/** Reads text that is cut at some places, as a file is read. */
function readCut(dialect: Dialect, text: string, cuts: readonly number[]) {
  let carry = ''
  let line = 1
  return [0, ...cuts].flatMap((from, piece) => {
    const input = carry + text.slice(from, cuts[piece])
    const found = readRecords(input, dialect, { line, last: piece === cuts.length })
    const first = line
    line += lineEnds(input.slice(0, found.end))
    carry = input.slice(found.end)
    return found.records.map(({ fields, from }) => ({
      fields,
      line: first + lineEnds(input.slice(0, from)),
    }))
  })
}

function quoteField(field: string): string {
  return /[",\r\n]/.test(field) || field === '' ? `"${field.replaceAll('"', '""')}"` : field
}

function times<Item>(count: number, make: () => Item): Item[] {
  return Array.from({ length: Math.floor(count) }, make)
}

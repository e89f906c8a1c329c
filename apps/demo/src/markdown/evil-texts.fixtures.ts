/** A text that is meant to hold up or deceive a page. */
export interface EvilText {
  /** The rule that made it, short enough for a report. */
  readonly name: string
  readonly text: string
}

/** Marks that open something, with what closes it. */
const brackets = [
  ...[
    ['*', '*'],
    ['**', '**'],
    ['_', '_'],
    ['~~', '~~'],
    ['`', '`'],
    ['[', ']'],
    ['![', '](a)'],
    ['[', '](https://a.b)'],
  ],
  ...[
    ['<', '>'],
    ['(', ')'],
    ['<div>', '</div>'],
    ['<!--', '-->'],
    ['&#x', ';'],
    ['"', '"'],
    ['***a ', ' b***'],
    ['[*', '*](x)'],
  ],
] as const

/** What begins a line, and can be nested by repeating it. */
const containers = [
  '> ',
  '>',
  '- ',
  '* ',
  '+ ',
  '1. ',
  '1) ',
  '> - ',
  '- > ',
  '- [ ] ',
  '# ',
  '    ',
  '\t',
  '| ',
] as const

/** Lines that mean something together. */
const lines = [
  ...[
    'a\n',
    '- a\n',
    '* a\n\n',
    '1. a\n',
    '# a\n',
    'a\n=\n',
    'a\n-\n',
    '===\n',
    '---\n',
    '```\n',
    '~~~\n',
    '```js\na\n```\n',
    '    a\n',
  ],
  ...[
    '> a\n',
    '|a',
    '|',
    '| a |\n',
    'a|b\n-|-\n',
    '|-',
    '|-|\n|a|\n',
    '[a]: b\n',
    '[a]: <\n',
    '<a>\n',
    '<!--\n',
    'a  \n',
    'a\\\n',
    '\n',
    ' \n',
    'a\n\n',
  ],
  ...['- a\n\n  b\n', '- a\n  - b\n    - c\n', '- [x] a\n', '* * a\n', '```ask\nq\n```\n'],
] as const

/** Pieces of one line. */
const words = [
  ...[
    'a',
    'a ',
    'a.a+',
    'a@',
    'a**b',
    'a*b_',
    '_a__b',
    '*a_ ',
    '[*a_`b',
    '`a``',
    '\\',
    '&',
    '&amp;',
    '&#x202E;',
    '<',
    '<a ',
    '</',
  ],
  ...[
    'http://',
    'https://a.b/(',
    'https://a.b/?',
    'www.a.',
    'mailto:a@b.c ',
    '[a](',
    '[a](<',
    '[a]("',
    '[a][b]',
    '![a](b "',
    '](',
    '~',
    '~a~~',
    '{}',
    '$',
  ],
  // Piles of accents, families of emoji, syllables and jamos that never end, and what cannot be seen.
  ...[
    'e\u0301',
    '\u0301',
    '\u20dd',
    '\u{1F469}\u200D',
    '\u{1F3FB}',
    '\u{1F1E6}',
    '\u0915\u094D',
    '\u1100',
    '\u0E33',
    '\u0F72',
    '\u0600',
    '\u202E',
    '\u2066',
    '\u200B',
    '\u00AD',
    '\uFE0F',
    '\u{E0041}',
    '\u{E0100}',
    '\u3164',
    '\uD800',
    '\u0000',
    '\r',
    '\uFDFD',
    '\u05D0',
    '\u4E2D',
  ],
] as const

const ends = ['', '@', '*]`)', '\n\nend', ' **', '\n```', '|'] as const

type Random = () => number

/** Texts of up to `most` characters from a grammar of nesting, repetition and length. `random`: from 0 to 1. */
export function evilTexts(count: number, most: number, random: Random): readonly EvilText[] {
  return Array.from({ length: count }, () => evilText(most, random))
}

function evilText(most: number, random: Random): EvilText {
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new RangeError('There is nothing to pick from.')
    return item
  }
  const size = Math.ceil(most ** (0.4 + 0.6 * random()))
  const fill = (unit: string): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
  const anything = (): string => pick(pick([containers, lines, words]))
  const [open, close] = pick(brackets)
  const shapes: readonly (() => readonly [name: string, text: string])[] = [
    () => named('repeat', anything(), fill),
    () => named('repeat', anything() + anything(), fill),
    () => named('repeat', anything() + anything() + anything(), fill),
    () => named('container', pick(containers), (unit) => `${fill(unit)}deep`),
    () => named('containers', pick(containers) + pick(containers), (unit) => `${fill(unit)}deep`),
    () => named('nested', open, (unit) => `${unit.repeat(size / 9)}x${close.repeat(size / 9)}`),
    () => named('never closed', open, (unit) => fill(`${unit}a `)),
    () => named('never opened', close, (unit) => fill(`a${unit} `)),
    () => named('stairs', pick(containers), (unit) => stairs(unit, Math.sqrt(size))),
    () =>
      named('wide rows', anything(), (unit) =>
        `${unit.repeat(99)}\n`.repeat(size / 99 / unit.length),
      ),
    () => named('in code', anything(), (unit) => `\`\`\`\n${fill(unit)}`),
    () =>
      named('behind a fence', anything(), (unit) => {
        const info = 'i'.repeat(size / 2)
        return `\`\`\`${info}\n\`\`\`\n${fill(unit).slice(info.length)}`
      }),
    () => named('in a cell', pick(words), (unit) => `|a|b|\n|-|-|\n|${fill(unit)}|`),
    () => named('short rows', pick(['a\n', '|\n', 'a|b\n']), (row) => tableOf(row, size)),
    () => named('mixed', '', () => Array.from({ length: size / 3 }, anything).join('')),
  ]
  const [name, text] = pick(shapes)()
  const end = pick(ends)
  return { name: `${name} ${size} ${JSON.stringify(end)}`, text: text + end }
}

function named(kind: string, unit: string, make: (unit: string) => string) {
  return [`${kind} ${JSON.stringify(unit)}`, make(unit)] as const
}

/** A table whose rows are shorter than its head. */
function tableOf(row: string, size: number): string {
  const columns = size / 8
  return `${'a|'.repeat(columns)}\n${'-|'.repeat(columns)}\n${row.repeat(size / 2 / row.length)}`
}

function stairs(mark: string, steps: number): string {
  return Array.from({ length: steps }, (_, step) => `${'  '.repeat(step)}${mark}a\n`).join('')
}

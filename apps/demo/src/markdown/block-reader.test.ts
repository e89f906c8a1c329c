import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createRandom } from '../tools/experiments.ts'
import { createBlockReader } from './block-reader.ts'
import { parseBlocks } from './parse-blocks.ts'
import { countNodes } from './read-window.ts'

const pieces = [
  'A paragraph with **bold** text\nover two lines.',
  '# Heading',
  'Setext\n---',
  '- one\n- two\n  - nested',
  '1. first\n\n2. second\n\n10. tenth',
  '```js\nconst a = 1\n\nconst b = 2\n```',
  '    indented\n\n    code',
  '| a | b |\n|---|--:|\n| 1 | 2 |',
  '> quoted\n> on\n\n> again',
  '***',
  '<div>\nhtml\n</div>',
  '[label]: https://example.com',
  '2',
  '- [ ] task\n- [x] done',
]

test('gives the same blocks however a text arrives', () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const next = createRandom(seed)
    const random = (limit: number) => Math.floor(next() * limit)
    const text = Array.from({ length: 8 }, () => pieces[random(pieces.length)]).join(
      '\n'.repeat(1 + random(3)),
    )
    const reader = createBlockReader()
    let end = 0
    while (end < text.length) {
      end = Math.min(text.length, end + 1 + random(12))
      reader.read(text.slice(0, end), true)
    }

    expect(reader.read(text, false).blocks.map(toHtml)).toEqual(readAll(text).map(toHtml))
  }
})

test('keeps closed blocks as they are while the end grows', () => {
  const reader = createBlockReader()

  const before = reader.read('one\n\ntwo\n\nthree\n\nfo', false).blocks
  const after = reader.read('one\n\ntwo\n\nthree\n\nfour\n\nfive', false).blocks

  expect(before.map(textOf)).toEqual(['one', 'two', 'three', 'fo'])
  expect(after.map(textOf)).toEqual(['one', 'two', 'three', 'four', 'five'])
  expect(after[0]).toBe(before[0])
})

test('starts over with another text', () => {
  const reader = createBlockReader()
  reader.read('one\n\ntwo\n\nthree', false)

  expect(reader.read('other', false).blocks.map(textOf)).toEqual(['other'])
})

test('goes on with code and with a table where it had to cut them', () => {
  const code = readAll(
    `\`\`\`js\n${'const a = 1\n'.repeat(2000)}\`\`\`\n\n\`\`\`\nother\n\`\`\`\n\nafter`,
  )
  const table = readAll(`| name | size |\n|---|--:|\n${'| a row | 12 |\n'.repeat(2000)}\nafter`)

  expect(code.map(tagOf)).toEqual(['div', 'div', 'p'])
  expect(code.map(textOf)).toEqual([`js${'const a = 1\n'.repeat(2000)}`, 'codeother\n', 'after'])
  expect(toHtml(code.at(-1))).toBe('<p>after</p>')
  expect(new Set(table.map(tagOf))).toEqual(new Set(['div', 'p']))
  expect(table.map(textOf).join('').match(/a row/g)).toHaveLength(2000)
  expect(toHtml(table.at(-1))).toBe('<p>after</p>')
})

test.each([
  ['1. one\n\n   ', '   ', '2. two'],
  ['- a\n  - b\n- c\n  1. d\n\n     ', '     ', '- c'],
  ['1. a\n   - x\n10. b\n\n    ', '    ', '11. two'],
  ['> ', '> ', '> two'],
  ['- > a\n  > ', '  > ', '- two'],
  ['> - ', '>   ', 'two'],
])('goes on with code that stands behind %j', (opens, indent, after) => {
  const code = `${indent}# a heading?\n${indent}- [an item](https://a.b)?\n`.repeat(500)
  const text = `${opens}~~~py\n${code}${indent}~~~\n\n${after}`

  const html = readAll(text).map(toHtml).join('\n')

  expect(html.match(/^(.*>)?# a heading\?$/gm)).toHaveLength(500)
  expect(html.match(/^(.*>)?- \[an item\]\(https:\/\/a\.b\)\?$/gm)).toHaveLength(500)
  expect(html).not.toMatch(/<h4|<a |~~~/)
  expect(html.match(/<code>.*?<\/code>/gs)?.filter((box) => box.includes('two'))).toEqual([])
})

test.each([
  ['- a\n\n  ', '  ', '- two'],
  ['- ', '  ', '- two'],
  ['- a\n  1. b\n\n     ', '     ', '- two'],
  ['> ', '> ', '\n> two'],
  ['> - ', '>   ', '> - two'],
])('a table that stands behind %j keeps its head and its place', (opens, indent, after) => {
  const rows = `${indent}| a row | 12 |\n`.repeat(500)
  const text = `${opens}| name | size |\n${indent}|---|--:|\n${rows}${after}`

  const blocks = readAll(text).map(toHtml)
  const tables = blocks.join('\n').match(/<table>.*?<\/table>/gs) ?? []

  expect(tables.length).toBeGreaterThan(1)
  for (const table of tables) expect(table).toMatch(/<thead>.*name.*size.*<\/thead>/s)
  expect(tables.join('').match(/a row/g)).toHaveLength(500)
  expect(blocks.join('').replaceAll(/<[^>]*>/g, '')).not.toContain('|')
  for (const block of blocks.slice(1, tables.length)) {
    expect(block).toMatch(/^<(blockquote|[uo]l [^>]*><li class="md-more")/)
  }
})

test.for([
  ['- one\n  - two\n', '    - deep\n', 3, '  - third\n- fourth\n'],
  ['7. one\n   - two\n', '     * deep\n', 3, '   - third\n8. fourth\n'],
  ['- one\n', '  1) deep\n     words\n', 2, '- fourth\n'],
] as const)(
  'a list that is longer than what is read at once keeps its levels behind %j',
  ([start, item, depth, end]) => {
    const blocks = readAll(`${start}${item.repeat(1200)}${end}`).map(toHtml)
    const html = blocks.join('')

    expect(blocks.length).toBeGreaterThan(2)
    expect(html.match(/deep/g)).toHaveLength(1200)
    for (const block of blocks) {
      const [before = ''] = block.split('deep')
      const levels =
        (before.match(/<[uo]l/g) ?? []).length - (before.match(/<\/[uo]l/g) ?? []).length
      expect(levels).toBe(depth)
    }
    // What goes on has no mark of its own.
    expect(html.match(/<li>(?!deep)/g)).toHaveLength(
      start.split('\n').length - 1 + end.split('\n').length - 1,
    )
    expect(html).not.toContain('<pre>')
    expect(html.includes('start="7"')).toBe(start.startsWith('7'))
  },
)

test('comes to the end of rich text behind a fence whose first line is longer than what is read at once', () => {
  const text = `\`\`\`${'a'.repeat(6100)}\n\`\`\`\n${'- a\n'.repeat(1500)}`

  expect(readToEnd(text).end).toBe(text.length)
})

test.each(['', '> ', '- > 1. '])(
  'fills the rows below the wide head of a table with few cells, behind %j',
  (mark) => {
    const under = mark.replaceAll(/[^>]/g, ' ')
    const rows = ['a|'.repeat(60), '-|'.repeat(60), ...Array<string>(380).fill('a')]
    const text = rows.map((row, at) => (at ? under : mark) + row).join('\n')

    expect(countNodes(parseBlocks(text))).toBeLessThan(5000)
  },
)

test('leaves what is too much to format as the text it is', () => {
  const text = 'a\n\n'.repeat(5000)
  const { blocks, end, isFull } = readToEnd(text)

  expect(isFull).toBe(true)
  expect(blocks.map(textOf).join('')).toBe(text.slice(0, end).replaceAll('\n', ''))
  expect(blocks.length).toBeLessThan(4000)
})

function readAll(text: string): readonly ReactNode[] {
  return readToEnd(text).blocks
}

function readToEnd(text: string) {
  const reader = createBlockReader()
  for (;;) {
    const read = reader.read(text, false)
    if (read.isFull || read.end >= text.length) return read
  }
}

function toHtml(block: ReactNode): string {
  return renderToStaticMarkup(block)
}

function tagOf(block: ReactNode): string | undefined {
  return /^<(\w+)/.exec(toHtml(block))?.[1]
}

function textOf(block: ReactNode): string {
  return toHtml(block).replaceAll(/<[^>]*>/g, '')
}

import { expect, test } from 'vitest'
import { sectionsOf } from './sections.ts'

test('cuts at headings, and names the headings above', () => {
  const text =
    'before\n# Title\none\n## Part\ntwo\n### Deep `code`\nthree\n## Next [link](x.md)\nfour\n'

  expect(sectionsOf('a.md', text)).toEqual([
    { file: 'a.md', heading: '', body: 'before' },
    { file: 'a.md', heading: 'Title', body: 'one' },
    { file: 'a.md', heading: 'Title › Part', body: 'two' },
    { file: 'a.md', heading: 'Title › Part › Deep code', body: 'three' },
    { file: 'a.md', heading: 'Title › Next link', body: 'four' },
  ])
})

test('takes no comment of code for a heading', () => {
  const sections = sectionsOf('a.md', '# Run\n```sh\n# not one\nnpm test\n```\n# Next\nx')

  expect(sections.map(({ heading }) => heading)).toEqual(['Run', 'Next'])
  expect(sections[0]?.body).toContain('# not one')
})

test('cuts long texts at the ends of lines, and loses nothing', () => {
  const paragraphs = Array.from({ length: 50 }, (_, at) => `${at} ${'word '.repeat(50)}`)
  const long = `${'x'.repeat(50_000)}`

  const bodies = sectionsOf('a.txt', [...paragraphs, long].join('\n\n')).map(({ body }) => body)

  expect(bodies.length).toBeGreaterThan(5)
  expect(Math.max(...bodies.map(({ length }) => length))).toBeLessThanOrEqual(20_000)
  expect(bodies.join('').replace(/\s+/g, '')).toBe(
    [...paragraphs, long].join('').replace(/\s+/g, ''),
  )
})

test('leaves the words of a table, a list and a link, and code as it is', () => {
  const text = '| a | **b** |\n|---|:--:|\n| [c](x) | |\n- point\n```ts\na || b // `- x`\n```'

  expect(sectionsOf('a.md', text)[0]?.body.split('\n')).toEqual([
    'a · b',
    '',
    'c',
    '• point',
    'a || b // `- x`',
  ])
})

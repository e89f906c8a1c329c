import { expect, test } from 'vitest'
import { startSqlite } from '../sqlite/start-sqlite.ts'
import { createTestContext } from '../tools.fixtures.ts'
import execute, { ownDocs } from './search-docs.lazy.ts'
import { createSearchIndex } from './search-index.ts'
import { sectionsOf } from './sections.ts'

const sqlite = await startSqlite(undefined)

test('finds words in any form, the section that is about them first', () => {
  const index = indexOf({
    'bees.md':
      '# Bees\nA hive holds many of them.\n# Honey\nBees make it. Making honey takes time.',
    'cats.md': '# Cats\nThey sleep. A cat makes no honey, bees do.',
  })

  const [first] = index.search('how is honey made by a bee?', 3)

  expect(first).toMatchObject({ file: 'bees.md', heading: 'Honey' })
  expect(first?.snippet).toMatch(/\*\*Bees\*\*.*\*\*honey\*\*/)
})

test('a section with all words comes before one with a rare word', () => {
  const index = indexOf({
    'a.md': '# One\nalpha beta\n# Two\nbeta beta beta',
    'b.md': '# Three\nalpha alpha alpha',
  })

  expect(index.search('alpha beta', 3).map(({ heading }) => heading)[0]).toBe('One')
  expect(index.search('alpha beta', 3)).toHaveLength(3)
})

test('finds phrases', () => {
  const index = indexOf({ 'a.md': '# One\nred green\n# Two\ngreen red' })

  expect(index.search('"green red"', 5).map(({ heading }) => heading)).toEqual(['Two'])
})

test.for(['', '???', '"', 'a"b', 'NEAR(x', 'body:x', '*', 'x AND NOT', '-x', '(', 'the of'])(
  'takes what is an operator elsewhere for text: %s',
  (query) => {
    const index = indexOf({ 'a.md': '# One\nx and y' })
    expect(Array.isArray(index.search(query, 5))).toBe(true)
  },
)

test('finds answers in the documentation of this project, and in dropped files', async () => {
  const note = new Blob(['# Shopping\nAsk about the perpetual zebra.'])
  const { context, progress } = createTestContext({ 'file:notes.md': note })

  const ours = await execute({ query: 'calls that wait for an approval', limit: 5 }, context)
  const dropped = await execute({ query: 'zebra', limit: 5 }, context)

  expect(ours).toMatchObject({ output: { files: ownDocs.size + 1 } })
  expect(JSON.stringify(ours)).toContain('docs/approvals-and-answers.md')
  expect(dropped).toMatchObject({
    output: { hits: [{ file: 'notes.md', heading: 'Shopping' }] },
    content: expect.stringContaining('- notes.md › Shopping: Ask about the perpetual **zebra**.'),
  })
  expect(progress.at(-1)).toMatchObject({ message: 'notes.md' })
  expect([...ownDocs.keys()]).toEqual(
    expect.arrayContaining(['README.md', 'SPEC.md', 'docs/react.md']),
  )
})

function indexOf(files: Readonly<Record<string, string>>) {
  const index = createSearchIndex(sqlite)
  for (const [name, text] of Object.entries(files)) index.add(sectionsOf(name, text))
  return index
}

import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from '../markdown/markdown.tsx'
import { startTalk } from './talk.fixtures.ts'

const odd = [
  ...['5*3*2', '__init__', '_private_', '**B**', '~~gone~~', '`tick`', 'a|b', '\\*', 'C:\\x\\|y'],
  ...['[x](http://evil.example)', 'https://a.example/x_y%20z', '&amp;', '&#65;', '<b>bold</b>'],
  ...[
    '# head',
    '- item',
    '1. one',
    '[ ] task',
    'mailto:a@b.example',
    '![i](http://evil.example/i)',
  ],
]

test('shows the cells of an answer as they are in the file, and makes no link of one', async () => {
  const { text } = await startTalk().ask('number of rows by name', {
    'odd.csv': `name,of\n${odd.map((name) => `"${name}",1`).join('\n')}\n`,
  })

  const cells = [...shown(text).matchAll(/<tr><td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell)
  expect(cells.toSorted()).toEqual(odd.map((name) => renderToStaticMarkup(name)).toSorted())
})

test('quotes what a file says of itself, and what failed, as it is', async () => {
  const talk = startTalk()
  const loaded = await talk.ask('load the file', { '*a*_b_.csv': 'x*y*z,n\n1,2\n' })
  const failed = await talk.ask('/sql SELECT 1 FROM "*no*such"')
  const refused = await talk.ask('what is <https://evil.example> *thing*?')
  const html = shown([loaded, failed, refused].map(({ text }) => text).join('\n\n'))

  expect(html).toContain('(from *a*_b_.csv)')
  expect(html).toContain('*no*such')
  expect(html).not.toMatch(/<em>|<a /)
})

test('says how many columns it does not name', async () => {
  const header = Array.from({ length: 60 }, (_, at) => `c${at}`).join()

  const { text } = await startTalk().ask('load the file', { 'w.csv': `${header}\n${header}\n` })
  expect(text).toContain('has **1** row, and the columns ')
  expect(text).toContain('`c39` (text) and 20 more.')
})

test('writes a year without a mark for thousands', async () => {
  const file = { 'films.csv': 'film,year\nAlien,1979\nIt,2017\nUs,2017\n' }

  expect((await startTalk().ask('latest year', file)).text).toContain('**2017**')
})

test.for([
  ['how many films in 2017', 'number of rows where year is 2017'],
  ['how many films since 1990', 'number of rows where year at least 1990'],
  ['cheapest film', 'min of price'],
] as const)('offers for “%s” what leads to the right answer', async ([question, near]) => {
  const file = { 'films.csv': 'film,year,price\nAlien,1979,5\nIt,2017,7\nUs,2017,9\n' }

  expect((await startTalk().ask(question, file)).buttons.join('\n')).toContain(near)
})

function shown(text: string): string {
  return renderToStaticMarkup(createElement(Markdown, { text, streaming: false }))
}

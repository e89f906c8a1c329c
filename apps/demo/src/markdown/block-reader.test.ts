import { expect, test } from 'vitest'
import { createRandom } from '../tools/experiments.ts'
import { createBlockReader } from './block-reader.ts'

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
      reader.read(text.slice(0, end))
    }

    expect(reader.read(text)).toEqual(createBlockReader().read(text))
  }
})

test('keeps closed blocks as they are while the end grows', () => {
  const reader = createBlockReader()

  const before = reader.read('one\n\ntwo\n\nthree\n\nfo')
  const after = reader.read('one\n\ntwo\n\nthree\n\nfour\n\nfive')

  expect(before).toEqual(['one', 'two', 'three', 'fo'])
  expect(after).toEqual(['one', 'two', 'three', 'four', 'five'])
})

test('starts over with another text', () => {
  const reader = createBlockReader()
  reader.read('one\n\ntwo\n\nthree')

  expect(reader.read('other')).toEqual(['other'])
})

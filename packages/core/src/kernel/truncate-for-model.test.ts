import fc from 'fast-check'
import { expect, test } from 'vitest'
import { text } from './log.fixtures.ts'
import { type Part, textOf } from './message.ts'
import { cutMiddle, fits, truncateForModel } from './truncate-for-model.ts'

const image: Part = { type: 'image', mediaType: 'image/png', data: 'iVBORw0' }
// Without this size fast-check seldom generates long texts.
const anyText = fc.string({ unit: 'binary', maxLength: 400, size: 'max' })
const anyParts = fc.array(fc.oneof(anyText.map(text), fc.constant(image)), { maxLength: 4 })
const anyLimit = fc.nat({ max: 300 })

test('[I19] the text of a result is at most as long as the limit, marker included', () => {
  fc.assert(
    fc.property(anyParts, anyLimit, (content, limit) => {
      expect(textOf(truncateForModel(content, limit)).length).toBeLessThanOrEqual(limit)
    }),
  )
})

test('[I19] a result that fits is the same, and only that', () => {
  fc.assert(
    fc.property(anyParts, anyLimit, (content, limit) => {
      const same = truncateForModel(content, limit) === content

      expect(same).toBe(textOf(content).length <= limit)
      expect(fits(content, limit)).toBe(same)
    }),
  )
})

test('[I19] what is kept is the head and the tail, and the marker counts the rest', () => {
  const longText = fc.string({ unit: 'binary', minLength: 301, maxLength: 400 })
  fc.assert(
    fc.property(longText, fc.integer({ min: 60, max: 300 }), (words, limit) => {
      const [, head, missing, tail] =
        /^(.*)\n\[… (\d+) characters cut …\]\n(.*)$/s.exec(cutMiddle(words, limit)) ?? []

      expect(words.startsWith(head ?? '?')).toBe(true)
      expect(words.endsWith(tail ?? '?')).toBe(true)
      expect((head?.length ?? 0) + Number(missing) + (tail?.length ?? 0)).toBe(words.length)
    }),
  )
})

test('[I19] plain text in documents gets the room that the text leaves', () => {
  const letter: Part = { type: 'document', mediaType: 'text/plain', data: 'd'.repeat(100) }
  const pdf: Part = { type: 'document', mediaType: 'application/pdf', data: 'A'.repeat(400) }
  const long = cutMiddle('d'.repeat(100), 60)

  expect(truncateForModel([text('a'.repeat(40)), pdf, letter], 100)).toEqual([
    text('a'.repeat(40)),
    pdf,
    { ...letter, data: long },
  ])
  expect(truncateForModel([letter, pdf, letter], 60)).toEqual([{ ...letter, data: long }, pdf])
  expect(fits([letter, pdf], 100)).toBe(true)
  expect(fits([letter, text('a')], 100)).toBe(false)
})

test('[I19] a document without room is named, within the limit', () => {
  const letter: Part = {
    type: 'document',
    mediaType: 'text/plain',
    data: 'd'.repeat(80),
    name: 'n.txt',
  }
  const note = '[The document "n.txt" was left out: 80 characters.]'

  const read = truncateForModel([text('a'.repeat(150)), letter], 120)
  expect(read.at(-1)).toEqual(text(note))
  expect(textOf(read).length).toBeLessThanOrEqual(120)
  expect(textOf(read)).toMatch(/^a+\n\[… \d+ characters cut …\]\na+\[The/)

  // A note would be as long as the document, so the document stays.
  const short: Part = { ...letter, data: 'd'.repeat(50) }
  expect(truncateForModel([text('a'.repeat(150)), short], 120).at(-1)).toEqual(short)
})

test('[I19] no character is cut in half', () => {
  const wellFormed = fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' })
  fc.assert(
    fc.property(wellFormed, anyLimit, (words, limit) => {
      expect(cutMiddle(`${words}${'😀'.repeat(99)}`, limit)).not.toMatch(/\p{Surrogate}/u)
    }),
  )
})

test('[I19] seven tenths of the room go to the head, three to the tail', () => {
  const longestMarker = '\n[… 10000 characters cut …]\n'

  const cut = cutMiddle('h'.repeat(5000) + 't'.repeat(5000), longestMarker.length + 1000)

  expect(cut).toBe(`${'h'.repeat(700)}\n[… 9000 characters cut …]\n${'t'.repeat(300)}`)
})

test('[I19] a limit too small for the marker leaves the first characters', () => {
  expect([0, 1, 2, 3, 20].map((limit) => cutMiddle(`😀${'a'.repeat(99)}`, limit))).toEqual([
    '',
    '',
    '😀',
    '😀a',
    `😀${'a'.repeat(18)}`,
  ])
})

test('[I19] joins the texts that it cuts and keeps everything that is not text', () => {
  const content = [text('a'.repeat(60)), image, text('b'.repeat(60))]

  const [words, ...rest] = truncateForModel(content, 100)

  expect(words).toMatchObject({
    type: 'text',
    text: expect.stringMatching(/^a+\n\[… \d+ characters cut …\]\nb+$/),
  })
  expect(rest).toEqual([image])
})

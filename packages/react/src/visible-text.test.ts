import { expect, test } from 'vitest'
import { visibleText } from './visible-text.ts'

test.each([
  ...[0x202a, 0x202e, 0x2066, 0x2069, 0x200e, 0x200f, 0x061c],
  ...[0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x00ad, 0x034f],
  ...[0x115f, 0x3164, 0xffa0, 0x180e, 0x206a, 0x206f],
  ...[0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xe01ef, 0xfff9, 0, 0x1b, 0x7f, 0x9f],
  ...[0x2028, 0x2029, 0x13430, 0x1343f, 0x1d159],
])('shows the unseen character %i as a mark', (code) => {
  const hex = code.toString(16).toUpperCase().padStart(4, '0')

  expect(visibleText(`a${String.fromCodePoint(code)}b`)).toBe(`a‹U+${hex}›b`)
})

test.each(['1', '#', '*'])('shows an invisible selector behind %s, which is no emoji', (sign) => {
  expect(visibleText(`${sign}\uFE0F2`)).toBe(`${sign}‹U+FE0F›2`)
  expect(visibleText(`${sign}\uFE0E`)).toBe(`${sign}‹U+FE0E›`)
})

test.each([
  ['葛\u{E0100}\u{E0101}', '葛\u{E0100}‹U+E0101›'],
  ['あ\u{E0100}', 'あ‹U+E0100›'],
  ['ᠭ\u180B\u180B\u180Bᠠ', 'ᠭ\u180B\u180B‹U+180B›ᠠ'],
])('shows the selectors in %j that select nothing', (text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

test('shows a hidden sentence as one mark', () => {
  const hidden = [...'ignore this'].map((each) =>
    String.fromCodePoint(0xe0000 + (each.codePointAt(0) ?? 0)),
  )

  expect(visibleText(`Hello${hidden.join('')}`)).toBe('Hello‹U+E0069 and 10 more›')
})

test.each([
  'Plain text,\twith\nlines\r\n',
  'שלום לכולם, مرحبا بالعالم',
  'می\u200Cخواهم',
  'PDF\u200Cها همهٔ\u200Cما ۱۴۰۲ ه\u200D.ش',
  'അവന്\u200D ភាសា\u200Bខ្មែរ ภาษา\u200Bไทย',
  // What an answer has so far, and what stands in bold.
  'کتاب\u200C',
  '\u200Cها',
  '👩\u200D',
  'क्\u200Dष न्\u200Cन',
  '👨\u200D👩\u200D👧\u200D👦 ❤\uFE0F 1\uFE0F\u20E3 👍🏽 🏳\uFE0F\u200D🌈 👩🏽\u200D🚀 ☎\uFE0E',
  '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  // The form of an ideograph in a name, and that of a Mongolian letter.
  '葛\u{E0100}飾 辻\u{E0101} 神\uFE00',
  'ᠮᠣᠩᠭ\u180Bᠣᠯ ᠨ\u180Eᠠ ᠭ\u180B\u180Eᠠ',
  'é e\u0301 Việt ไทย 日本語 한국어 中文 x\u0302\u0304',
])('leaves %j as it is', (text) => {
  expect(visibleText(text)).toBe(text)
})

test.each([
  ['accents', '\u0301', '0301'],
  ['tones of skin', '\u{1F3FB}', '1F3FB'],
  ['Thai vowels', '\u0E33', '0E33'],
  ['Lao vowels', '\u0EB3', '0EB3'],
])('cuts a pile of %s', (_, mark, code) => {
  const pile = visibleText(`e${mark.repeat(100_000)}`)

  expect(pile).toBe(`e${mark.repeat(8)}‹U+${code} and 99991 more›`)
})

test.each([0xa0, 0x1680, 0x2000, 0x2007, 0x200a, 0x202f, 0x205f, 0x2800])(
  'shows a run of the blank %i as a mark, as it moves what follows out of sight',
  (code) => {
    const blank = String.fromCodePoint(code)
    const hex = code.toString(16).toUpperCase().padStart(4, '0')

    expect(visibleText(`ls${blank.repeat(3000)}; rm`)).toBe(`ls‹U+${hex} and 2999 more›; rm`)
    expect(visibleText(`ls ${`${blank} `.repeat(50)}; rm`)).toBe(`ls ‹U+${hex} and 99 more›; rm`)
    expect(visibleText(`a${blank.repeat(40)}b`)).toBe(`a${blank.repeat(40)}b`)
  },
)

test.each([' ', '\t', '\u3000'])(
  'shows a run of %j as a mark, if it has more columns than a box that does not wrap',
  (blank) => {
    const hex = (blank.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    const column = `wide${blank.repeat(127)}|\n${blank.repeat(127)}|`

    expect(visibleText(`ls${blank.repeat(3000)}; rm`)).toBe(`ls‹U+${hex} and 2999 more›; rm`)
    expect(visibleText(`\n${blank.repeat(128)}rm`)).toBe(`\n‹U+${hex} and 127 more›rm`)
    expect(visibleText(column)).toBe(column)
  },
)

test('changes nothing in a table whose columns are wide', () => {
  const text = `é${' '.repeat(127)}a${'\u3000'.repeat(127)}b`

  expect(visibleText(text)).toBe(text)
})

test('cuts a pile of different marks', () => {
  const pile = visibleText('\u0301\u{1F3FB}\u0E33\u0EB3'.repeat(1000))

  expect(pile).toHaveLength(10 + '‹U+0301 and 3991 more›'.length)
})

test('changes nothing a second time', () => {
  const once = visibleText('a\u202Eb\u{E0041}c\u0000')

  expect(visibleText(once)).toBe(once)
})

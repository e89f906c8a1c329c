import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import '../styles/all.css'
import { createRandom } from '../tools/experiments.ts'
import { inPlace } from '../ui/in-place.ts'
import { evilTexts } from './evil-texts.fixtures.ts'
import { Markdown } from './markdown.tsx'

// VITE_SEED tries others.
const seed = Number(import.meta.env['VITE_SEED'] ?? 1)
const random = createRandom(seed)
const longest = 12_000
// What one frame may add: 1,000 nodes of markdown, and their boxes.
const mostPerFrame = 1500

let box: HTMLElement
let root: Root
/** How long ordinary text takes. */
let ordinary: number

beforeEach(() => {
  box = document.body.appendChild(document.createElement('main'))
  root = createRoot(box)
  ordinary = leastTime(() => draw('Some **words** of a paragraph. '.repeat(200)))
})

afterEach(() => {
  root.unmount()
  box.remove()
})

const parts = 10
for (let part = 1; part <= parts; part += 1) {
  test(`draws evil texts, part ${part} of ${parts} of seed ${seed}`, async () => {
    const texts = evilTexts(51, longest, random)
    for (const { name, text } of texts) await expectDrawn(text, name)
  })
}

test.for([
  ['quotes in quotes', '>'.repeat(1710)],
  ['lists in lists', '- '.repeat(1973)],
  ['open brackets', '[*a_`b'.repeat(6000)],
] as const)('draws what once held a page up: %s', async ([name, text]) => {
  await expectDrawn(text, name)
})

test(`draws the start of evil texts of up to a megabyte, seed ${seed}`, async () => {
  const own = createRandom(seed)
  const long = evilTexts(120, 1_000_000, own).filter(({ text }) => text.length > 300_000)
  const texts = long.slice(0, 5)
  expect(texts).toHaveLength(5)

  for (const { name, text } of texts) {
    await drawWhole(`BEFORE\n\n${text}\n\nAFTER`, name, () => showsBoth() || offersRest())
    const ends = Array.from({ length: 5 }, () => Math.ceil(own() * text.length))
    ends.sort((one, other) => one - other)
    drawGrowing(text, name, ends)
  }
})

test('formats the start of a text of a megabyte and offers the rest', async () => {
  const text = 'A paragraph of **some** length.\n\n'.repeat(31_000)
  await drawWhole(text, 'paragraphs', offersRest)

  expect(box.querySelectorAll('strong').length).toBeGreaterThan(1000)
  expect(box.querySelectorAll('*').length).toBeLessThan(40_000)
})

test('draws one piece in a frame, although the text grows twice in it', async () => {
  const text = '- a\n'.repeat(20_000)
  let before = 0
  for (let end = 8000; before < 6000; end += 8000) {
    await new Promise(requestAnimationFrame)
    const count = box.querySelectorAll('*').length
    // A piece of it has 330 items.
    expect(count - before).toBeLessThan(400)
    before = count
    for (const shown of [text.slice(0, end - 4000), text.slice(0, end)])
      flushSync(() => root.render(<Markdown text={shown} streaming />))
  }
})

test('draws many long texts a few pieces in a frame: the last one first, then from the top', async () => {
  const text = 'A **b** *c* `d` [e](https://f.gh).\n\n'.repeat(60)
  const count = 30
  const texts = Array.from({ length: count }, () => `${text}END`)
  flushSync(() => root.render(inPlace(texts, (one) => <Markdown text={one} streaming={false} />)))
  const drawn = (): readonly number[] =>
    [...box.querySelectorAll('.md')].flatMap(({ textContent }, at) =>
      textContent.includes('END') ? [at] : [],
    )
  const order = [...drawn()]

  for (let before = 0; order.length < count; ) {
    const elements = box.querySelectorAll('*').length
    expect(elements - before).toBeLessThan(2 * mostPerFrame)
    before = elements
    await new Promise(requestAnimationFrame)
    order.push(...drawn().filter((at) => !order.includes(at)))
  }

  expect(order.indexOf(count - 1)).toBeLessThan(order.indexOf(count / 2))
  expect(order.at(-1)).toBe(count - 2)
})

test.each(['- ', '1. ', '> ', '> - ', '- > 1. '])(
  'a long line of code and a wide table scroll by themselves inside %j',
  (mark) => {
    const cells = 'word|'.repeat(99)
    const code = ['```', 'word '.repeat(300), '```']
    const table = [`|${cells}`, `|${'-|'.repeat(99)}`, `|${cells}`]
    // What continues a list item stands under its text.
    const under = mark.replaceAll(/[^>]/g, ' ')
    draw(
      [`${mark}text`, '', ...code, '', ...table]
        .map((line, at) => (at ? under : '') + line)
        .join('\n'),
    )

    expect(box.querySelectorAll('.code-frame, .table-frame')).toHaveLength(2)
    expect(box.scrollWidth).toBe(box.clientWidth)
  },
)

test.each([
  ['quotes', 45, '> '],
  ['quotes and lists', 15, '> - '],
] as const)('the words in %s stay on the page', (_, count, marks) => {
  draw(`${marks.repeat(count)}words`)
  const inner = [...box.querySelectorAll('.md *')].findLast((one) => one.textContent === 'words')

  expect(inner?.getBoundingClientRect().right).toBeLessThanOrEqual(box.clientWidth)
})

async function expectDrawn(text: string, name: string): Promise<void> {
  await drawWhole(`BEFORE\n\n${text}\n\nAFTER`, name, showsBoth)
  expectOnlyKnownElements(name)
  expect(box.scrollWidth, `${name}: its width`).toBe(box.clientWidth)
  drawGrowing(text, name, growingEnds(text.length))
  // The least of some tries, because the machine may have other work. What grew with the square of its length took
  // hundreds of times as long.
  expect(
    leastTime(() => draw(text), 60 * ordinary),
    name,
  ).toBeLessThan(60 * ordinary)
}

/** Ends with the last piece, and not before: most texts are there in one frame. */
async function drawWhole(text: string, name: string, isWhole: () => boolean): Promise<void> {
  let before = 0
  for (let still = 0; before === 0 || !isWhole(); ) {
    if (before === 0) draw(text)
    else await new Promise(requestAnimationFrame)
    const count = box.querySelectorAll('*').length
    expect(count - before, `${name}: elements of one frame`).toBeLessThan(mostPerFrame)
    still = count === before ? still + 1 : 0
    expect(still, `${name}: frames in which nothing comes`).toBeLessThan(120)
    before = count
  }
}

const showsBoth = (): boolean =>
  ['BEFORE', 'AFTER'].every((sentinel) => box.textContent.includes(sentinel))

const offersRest = (): boolean => box.querySelector('.too-long') !== null

function growingEnds(length: number): readonly number[] {
  const ends: number[] = []
  for (let end = 1; end < length; end = Math.ceil(end * 2.3)) ends.push(end)
  return ends
}

/** Every cut leaves a page that stands. */
function drawGrowing(text: string, name: string, ends: readonly number[]): void {
  for (const end of ends) {
    flushSync(() => root.render(<Markdown text={text.slice(0, end)} streaming />))
    expect(box.querySelector('.md'), name).not.toBeNull()
  }
}

function draw(text: string): void {
  flushSync(() => root.render(null))
  flushSync(() => root.render(<Markdown text={text} streaming={false} />))
  box.getBoundingClientRect()
}

function leastTime(work: () => void, enough = 0): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5 && !(least < enough); run += 1) {
    const startedAt = performance.now()
    work()
    least = Math.min(least, performance.now() - startedAt)
  }
  return least
}

const elements = new Set(
  'main div p h4 h5 h6 blockquote ul ol li pre code hr section table thead tbody tr th td strong em del a br span button svg path'.split(
    ' ',
  ),
)
const attributes = new Set(
  'class dir data-more data-tall data-align data-short data-state data-icon tabindex start scope aria-label aria-hidden href title target rel type viewBox focusable d'.split(
    ' ',
  ),
)

function expectOnlyKnownElements(name: string): void {
  for (const element of box.querySelectorAll('*')) {
    expect(elements, name).toContain(element.localName)
    for (const { name: attribute } of element.attributes)
      expect(attributes, name).toContain(attribute)
    if (element instanceof HTMLAnchorElement)
      expect(element.href, name).toMatch(/^(https?|mailto):/)
  }
}

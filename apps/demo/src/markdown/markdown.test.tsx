import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

afterEach(cleanup)

test('shows HTML as the text it is', () => {
  const { container } = show(
    '<script>alert(1)</script>\n\nText <img src=x onerror=alert(1)> and <b>bold</b>\n\n<iframe src="https://example.com"></iframe>',
  )

  expect(container.querySelector('script, img, iframe, b')).toBeNull()
  expect(container.textContent).toContain('<img src=x onerror=alert(1)>')
})

test.each([
  ['[x](https://example.com/a)', 'https://example.com/a'],
  ['<https://example.com/a>', 'https://example.com/a'],
  ['https://example.com/a', 'https://example.com/a'],
  ['[x](mailto:a@example.com)', 'mailto:a@example.com'],
])('links %s', (text, address) => {
  const link = show(text).container.querySelector('a')

  expect(link?.href).toBe(address)
  expect(link?.target).toBe('_blank')
  expect(link?.rel).toBe('noopener noreferrer')
})

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,hello)',
  '[x](vbscript:x)',
  '[x](/relative)',
  '[x](#fragment)',
  '![x](javascript:alert(1))',
  '[x][ref]\n\n[ref]: javascript:alert(1)',
])('does not link %s', (text) => {
  const { container } = show(text)

  expect(container.querySelector('a, img')).toBeNull()
  expect(container.textContent).toContain('x')
})

test.each(['https://аррӏе.com/ü', '<https://xn--80ak6aa92e.com/%C3%BC>'])(
  'shows that the letters of the server in %j are foreign',
  (text) => {
    const link = show(text).getByRole('link', { name: 'https://xn--80ak6aa92e.com/ü' })

    expect(link.getAttribute('href')).toBe('https://xn--80ak6aa92e.com/%C3%BC')
  },
)

test.each(['https:аррӏе.com', 'https:/аррӏе.com', 'https:///аррӏе.com', 'mailto:a@аррӏе.com'])(
  'shows no foreign letters of the server in %j, however the address is written',
  (address) => {
    const link = show(`<${address}>`).getByRole('link')

    expect(link.getAttribute('href')).toContain('xn--80ak6aa92e.com')
    expect(link.textContent).toMatch(/^[ -~]+$/)
  },
)

test.each([
  ['[https://a.example](https://b.example)', 'https://a.example (b.example)'],
  ['[a.example/path](https://b.example/a.example)', 'a.example/path (b.example)'],
  ['[**https://a**.example](https://b.example)', 'https://a.example (b.example)'],
  ['[`a.example`](https://b.example:8080)', 'a.example (b.example:8080)'],
  ['[Ａ．example](https://b.example)', 'Ａ．example (b.example)'],
  ['[a。example](https://b.example)', 'a。example (b.example)'],
  ['[https:∕∕a.example∕x](https://b.example)', 'https:∕∕a.example∕x (b.example)'],
  ['[Go to/http://intranet](https://b.example)', 'Go to/http://intranet (b.example)'],
  ['[192.168.0.1](https://b.example)', '192.168.0.1 (b.example)'],
  ['[me@a.example](https://b.example)', 'me@a.example (b.example)'],
  ['[me@a.example](mailto:you@b.example)', 'me@a.example (you@b.example)'],
  ['[a.example](mailto:%6De@a.example,you@b.example)', 'a.example (me@a.example,you@b.example)'],
  ['[https://аррӏе.com](https://apple.com)', 'https://аррӏе.com (apple.com)'],
  ['<https://a.example@b.example/>', 'https://a.example@b.example/ (b.example)'],
  ['![a.example](https://b.example/a.png)', 'Image: a.example (b.example)'],
])('says where the link of %j leads, as its text names another server', (text, shown) => {
  expect(show(text).container.textContent).toBe(shown)
})

test.each([
  '[the table](https://a.example)',
  '[https://www.a.example](https://a.example/path)',
  '[(A.example.)](https://www.a.example)',
  '[docs/table.csv, e.g. 3.5](https://a.example)',
  '[me@a.example](mailto:me@a.example)',
  '[write to me](mailto:me@a.example)',
  'https://a.example:8080/files/b.example?to=https://c.example/',
  '<https://аррӏе.com/ü>',
  '<mailto:me@a.example>',
])('says nothing more of a link whose text is true: %j', (text) => {
  const { container } = show(text)

  expect(container.querySelector('a')?.parentElement?.textContent).toBe(
    container.querySelector('a')?.textContent,
  )
})

test('does not load an image: it links to it', () => {
  const { container, getByRole } = show('![a cat](https://example.com/cat.png)')

  expect(container.querySelector('img')).toBeNull()
  expect(getByRole('link', { name: 'Image: a cat' })).toBeTruthy()
})

test('shows code, lists and tables', () => {
  const { container, getByRole } = show(
    '`x &lt; y` AT&amp;T\n\n- one\n- [x] two\n\n| a | b |\n|--|--:|\n| 1 | 2 |',
  )

  expect(container.querySelector('code')?.textContent).toBe('x &lt; y')
  expect(container.textContent).toContain('AT&T')
  expect(container.textContent).toContain('☑ two')
  expect(getByRole('cell', { name: '2' }).dataset['align']).toBe('right')
  expect(getByRole('region', { name: 'Table' }).tabIndex).toBe(0)
})

test.each([
  'safe\u202Egnp.exe',
  'safe&#x202E;gnp.exe',
  '`safe\u202Egnp.exe`',
  '[safe\u202Egnp.exe](https://example.com)',
  '![safe&#8238;gnp.exe](https://example.com)',
  '```\nsafe\u202Egnp.exe\n```',
  '| safe\u202Egnp.exe |\n|--|',
])('shows the direction override in %j', (text) => {
  expect(show(text).container.textContent).toContain('safe‹U+202E›gnp.exe')
})

test('ends a stream with what the whole text shows', () => {
  const text =
    '# Title\n\nSome **bold** and `code` and [a link](https://example.com).\n\n<script>1</script> <img src=x>\n\n1. one\n\n2. two\n\n| a |\n|--|\n| b |\n\n> quote\n\nend'
  const { container, rerender } = render(<Markdown text="" streaming />)
  for (let end = 1; end <= text.length; end += 1) {
    rerender(<Markdown text={text.slice(0, end)} streaming />)
    expect(container.querySelector('script, img')).toBeNull()
  }
  rerender(<Markdown text={text} streaming={false} />)
  const streamed = container.innerHTML
  cleanup()

  expect(streamed).toBe(show(text).container.innerHTML)
})

test.each([
  ['**bo', 'bo'],
  ['a **', 'a'],
  ['a `co', 'a co'],
])('does not show the marks of %s while it is open', (text, shown) => {
  const { container } = render(<Markdown text={text} streaming />)

  expect(container.textContent?.trim()).toBe(shown)
})

test('shows what is nested too deeply as it is written, and the rest as ever', () => {
  const deep = `${'>'.repeat(1710)} deep`
  const { container } = show(`**before**\n\n${deep}\n\n**after**`)

  expect(container.querySelector('blockquote')).toBeNull()
  expect(container.querySelector('.md-plain')?.textContent).toBe(deep)
  expect(container.querySelectorAll('strong')).toHaveLength(2)
})

test('nests as deeply as people write', () => {
  const { container } = show(
    Array.from({ length: 12 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n'),
  )

  expect(container.querySelectorAll('ul')).toHaveLength(12)
})

test('keeps the marks of emphasis that is nested too deeply', () => {
  const { container } = show(`${'*a **b '.repeat(60)}${'** *'.repeat(60)}`)

  expect(container.textContent).toContain('*a **b')
})

function show(text: string): ReturnType<typeof render> {
  return render(<Markdown text={text} streaming={false} />)
}

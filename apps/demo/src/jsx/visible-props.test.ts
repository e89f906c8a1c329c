import { expect, test } from 'vitest'
import { visibleProps } from './visible-props.ts'

test.each(['children', 'title', 'alt', 'aria-label', 'aria-valuetext', 'placeholder'])(
  'shows what deceives in %s as a mark, and of a long text the start',
  (name) => {
    expect(visibleProps('p', { [name]: 'a\u202Eb' })).toEqual({ [name]: 'a‹U+202E›b' })
    expect(visibleProps('p', { [name]: 'a'.repeat(21_000) })).toEqual({
      [name]: `${'a'.repeat(20_000)}… 1,000 more characters`,
    })
  },
)

test('shows each text among other children, and leaves the rest to components and the browser', () => {
  const props = { children: ['a\u202E', ['\u200Bb', 1, null]], href: '\u202E' }

  expect(visibleProps('p', props)).toEqual({
    children: ['a‹U+202E›', ['‹U+200B›b', 1, null]],
    href: '\u202E',
  })
  expect(visibleProps(() => null, props)).toBe(props)
})

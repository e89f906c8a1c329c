import { expect, test } from 'vitest'
import { styledParts } from './styled-parts.mjs'

test('what an app can copy needs nothing of the demo, and no package that it does not name', () => {
  const parts = Object.values(styledParts())

  const folders = new Set(parts.flatMap(({ files }) => files.map((file) => file.split('/')[0])))
  expect([...folders].toSorted()).toEqual(
    ['LICENSE', 'cards', 'chat', 'jsx', 'markdown', 'styles', 'text', 'ui'].toSorted(),
  )
  const packages = new Set(parts.flatMap((part) => part.packages))
  expect([...packages]).toEqual(['markdown-it'])
})

import { join } from 'node:path/posix'
import { expect, test } from 'vitest'
import { styledParts, styledText } from './styled-parts.mjs'

test('what an app can copy needs nothing of the demo, and no package that it does not name', () => {
  const parts = Object.values(styledParts())

  const folders = new Set(parts.flatMap(({ files }) => files.map((file) => file.split('/')[0])))
  expect([...folders].toSorted()).toEqual(
    ['LICENSE', 'cards', 'chat', 'jsx', 'markdown', 'styles', 'text', 'ui'].toSorted(),
  )
  const packages = new Set(parts.flatMap((part) => part.packages))
  expect([...packages]).toEqual(['markdown-it'])
})

test('JSX that an app copies shows its texts by the runtime that comes with it, which marks what deceives', () => {
  for (const { files } of Object.values(styledParts())) {
    const views = files.filter((file) => file.endsWith('.tsx'))
    expect(views.length).toBeGreaterThan(0)
    for (const file of views) {
      const [, from = ''] = /^\/\*\* @jsxImportSource (\S+) \*\/\n/.exec(styledText(file)) ?? []
      for (const name of ['jsx-runtime.ts', 'jsx-dev-runtime.ts']) {
        expect(files, file).toContain(join(file, '..', from, name))
      }
    }
  }
})

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = 'examples/quick-start/src/'

test('the code in the README is the example that is compiled', () => {
  const readme = readFileSync('README.md', 'utf8')
  const shown = [...readme.matchAll(/```tsx?\n([\s\S]*?)```/g)].map(([, code]) => code)

  const files = readdirSync(folder).map((name) => readFileSync(folder + name, 'utf8'))

  expect(shown.toSorted()).toEqual(files.toSorted())
})

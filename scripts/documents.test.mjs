import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const example = 'examples/quick-start/src/'
const documents = markdownFiles('.').map((path) => ({ path, text: readFileSync(path, 'utf8') }))

test('the code in the documents is the example that is compiled', () => {
  const shown = documents
    .filter(({ path }) => /^(README\.md$|docs\/)/.test(path))
    .flatMap(({ text }) => [...text.matchAll(/```tsx?\n([\s\S]*?)```/g)].map(([, code]) => code))

  const files = readdirSync(example)
    .filter((name) => !name.includes('.browser.test.'))
    .map((name) => readFileSync(example + name, 'utf8'))

  expect(shown.toSorted()).toEqual(files.toSorted())
})

test('what a document imports from a package is exported there', async () => {
  const imports = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/^import \{ ([^}]*) \} from '(@offthread\/[^']*)'/gm)].map(
      ([, names = '', entry = '']) => ({ path, names: names.split(/,\s*/), entry }),
    ),
  )
  expect(imports.length).toBeGreaterThan(10)

  const missing = []
  for (const { path, names, entry } of imports) {
    const exported = await import(sourceOf(entry))
    for (const name of names) if (!(name in exported)) missing.push(`${path}: ${name} of ${entry}`)
  }

  expect(missing).toEqual([])
})

test('every link in a document leads to a file', () => {
  const broken = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  )

  expect(broken).toEqual([])
})

/**
 * The source behind the name of an entry: the repository's root has no dependency on its packages.
 *
 * @param {string} entry
 */
function sourceOf(entry) {
  const [, name = '', subpath = ''] = /^@offthread\/([^/]+)(.*)$/.exec(entry) ?? []
  const folder = `packages/${name}`
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  return new URL(`../${join(folder, exports[`.${subpath}`])}`, import.meta.url).href
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function markdownFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      return /^(\.|node_modules$|dist$)/.test(entry.name) ? [] : markdownFiles(path)
    }
    return entry.name.endsWith('.md') ? [path] : []
  })
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const examples = ['examples/quick-start/src/', 'examples/calculator/src/']
const files = filesIn('.')
const documents = files
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

test('[S004-12] the code in the documents is the examples that are compiled and run', () => {
  const shown = documents
    .filter(({ path }) => /^(README\.md$|docs\/)/.test(path))
    .flatMap(({ text }) => [...text.matchAll(/```tsx?\n([\s\S]*?)```/g)].map(([, code]) => code))

  const compiled = examples.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => !name.includes('.browser.test.'))
      .map((name) => readFileSync(folder + name, 'utf8')),
  )

  expect(shown.toSorted()).toEqual(compiled.toSorted())
})

test('what a document imports from a package is exported there', () => {
  const imports = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/^import \{ ([^}]*) \} from '(@offthread\/[^']*)'/gm)].flatMap(
      ([, names = '', entry = '']) =>
        names
          .split(/,\s*/)
          .map((name) => name.replace(/^type /, ''))
          .map((name) => ({ name, entry, where: `${path}: ${name} of ${entry}` })),
    ),
  )
  expect(imports.length).toBeGreaterThan(10)

  const missing = imports.filter(({ name, entry }) => !exportsOf(entry).has(name))

  expect(missing.map(({ where }) => where)).toEqual([])
})

test('[S004-12] the changelog says what is in the version of the packages', () => {
  const [, newest] = /^## (\S+)/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? []

  for (const name of readdirSync('packages')) {
    /** @type {{ version: string }} */
    const { version } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
    expect({ name, version }).toEqual({ name, version: newest })
  }
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

test('every file of code that a document names is there', () => {
  const missing = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|css))`/g)]
      .filter(([, name]) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))
      .map(([, name]) => `${path}: ${name}`),
  )

  expect(missing).toEqual([])
})

/**
 * The names that an entry of a package exports: those of its lists, and those that it declares.
 *
 * @param {string} entry
 */
function exportsOf(entry) {
  const [, name = '', subpath = ''] = /^@offthread\/([^/]+)(.*)$/.exec(entry) ?? []
  const folder = `packages/${name}`
  /** @type {{ exports: Record<string, string | undefined> }} */
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const file = exports[`.${subpath}`]
  const source = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list = '']) => list)
  const declared = source.matchAll(/^export (?:function|const|interface|type) (\w+)/gm)
  const own = [...declared].map(([, one = '']) => one)
  return new Set([...own, ...lists.flatMap((list) => list.split(','))].map((one) => one.trim()))
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      return /^(\.|node_modules$|dist$)/.test(entry.name) ? [] : filesIn(path)
    }
    return [path]
  })
}

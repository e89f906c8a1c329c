import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { childrenOf } from './syntax-tree.mjs'

/** @typedef {import('./syntax-tree.mjs').Node} Node */

test('every rule of SPEC.md is cited in the name of a test', () => {
  const rules = [...readFileSync('SPEC.md', 'utf8').matchAll(/^- \*\*(I\d+)\*\*/gm)].map(
    ([, rule]) => rule,
  )

  const names = testFiles('.').flatMap((file) => testNames(file, readFileSync(file, 'utf8')))

  expect(rules.length).toBeGreaterThan(30)
  expect(rules.filter((rule) => !names.some((name) => name.includes(`[${rule}]`)))).toEqual([])
})

test('a name is what a test or a group of tests is called, not what stands elsewhere', () => {
  const names = testNames(
    'some.test.ts',
    `
    // test('in a comment', () => {})
    describe('a group', () => test('a test', () => note('in a test')))
    test.each([['in a table']] as const)('a row: %s', () => {})
    it.skipIf(windows)(\`a template \${filled} in\`, () => {})
    test.skip('skipped', () => {})
    test.todo('to do')
    `,
  )

  expect(names).toEqual(['a group', 'a test', 'a row: %s', 'a template … in'])
})

/**
 * @param {string} folder
 * @returns {string[]}
 */
function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      return /^(\.|node_modules$|dist$)/.test(entry.name) ? [] : testFiles(path)
    }
    return /\.(test|spec|contract)\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : []
  })
}

/**
 * @param {string} file
 * @param {string} source
 * @returns {string[]}
 */
function testNames(file, source) {
  return namesBelow(parseSync(file, source).program)
}

/**
 * @param {Node} node
 * @returns {string[]}
 */
function namesBelow(node) {
  const own = node.type === 'CallExpression' && runsTest(node.callee) ? textOf(node) : []
  return [...own, ...childrenOf(node).flatMap(({ child }) => namesBelow(child))]
}

/**
 * `test`, `test.each(…)` and the like; a test that is skipped proves nothing.
 *
 * @param {Node | undefined} callee
 * @returns {boolean}
 */
function runsTest(callee) {
  if (!callee || /^(skip|todo|fixme)$/.test(callee.property?.name ?? '')) return false
  if (callee.type === 'Identifier') return /^(test|it|describe)$/.test(callee.name ?? '')
  return runsTest(callee.object ?? callee.callee)
}

/** @param {Node} call */
function textOf({ arguments: [name] = [] }) {
  if (typeof name?.value === 'string') return [name.value]
  const texts = name?.quasis?.map(({ value }) => /** @type {{ raw: string }} */ (value).raw)
  return texts ? [texts.join('…')] : []
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSpec } from './spec.mjs'
import { testNames } from './test-names.mjs'

test('every rule is written in SPEC.md, and every rule and requirement is cited by a test', () => {
  expect(gapsIn('.')).toEqual([])
})

test('a rule that is not written or not cited is a gap', () => {
  const root = project({
    'SPEC.md': rules(40).replace('- **I2** A rule.\n', ''),
    'REQUIREMENTS.md': onPage(28),
    'some.test.ts': testsOf(rules(39) + onPage(28)),
  })

  expect(gapsIn(root)).toEqual(['I2: SPEC.md does not have it', 'I40: no test cites it'])
})

test('all 28 things that the page must do are counted, and one that is not written or not cited is a gap', () => {
  const root = project({
    'SPEC.md': rules(40),
    'REQUIREMENTS.md': onPage(28).replace('- **UI12** The page.\n', ''),
    'some.test.ts': testsOf(rules(40) + onPage(28).replace('- **UI23** The page.\n', '')),
  })

  expect(readSpec(root).filter(({ id }) => id.startsWith('UI'))).toHaveLength(28)
  expect(gapsIn(root)).toEqual(['UI23: no test cites it', 'UI12: REQUIREMENTS.md does not have it'])
})

test('a requirement is proven by a test that cites it, or by everything its arrow names', () => {
  const root = project({
    'SPEC.md': rules(40),
    'REQUIREMENTS.md': `
- **S000-1** One.
- **S000-2** Two.
- **C1** Three. → I1, S000-1
- **C2** Four. → I1, S000-2
- **C3** Five. → S000-2
${onPage(28)}
`,
    'folder/some.contract.ts': testsOf(
      `${rules(40)}${onPage(27)}- **S000-1** One.\n- **C3** Five.\n`,
    ),
    'node_modules/other.test.ts': "test('[S000-2] is of another project', () => expect(1).toBe(1))",
  })

  expect(gapsIn(root)).toEqual([
    'S000-2: no test cites it',
    'C2: no test cites S000-2',
    'UI28: no test cites it',
  ])
})

test('a citation counts in the name of a test or of a group of tests, and nowhere else', () => {
  const names = testNames(
    'some.test.ts',
    `
    // test('in a comment', () => expect(1).toBe(1))
    describe('a group', () => test('a test', () => expect(note('in a test')).toBe(1)))
    test.each([['in a table']] as const)('a row: %s', () => expect(1).toBe(1))
    test.concurrent.for(rows)(\`a template \${filled} in\`, { timeout: 1 }, async () => {
      await expect.poll(() => 1).toBe(1)
    })
    for (const row of rows) test.describe(row, () => { it('in a loop', () => expectRow(row)) })
    export function contract() {
      describe.each(rows)('a contract', () => { test('in it', () => fc.assert(property)) })
    }
    `,
  )

  expect(names).toEqual([
    'a group',
    'a test',
    'a row: %s',
    'a template … in',
    'in a loop',
    'a contract',
    'in it',
  ])
})

test.each([
  ['is skipped', "test.skip('cited', () => expect(1).toBe(1))"],
  ['is to be mended', "test.fixme('cited', () => expect(1).toBe(1))"],
  ['is to be written', "test.todo('cited')"],
  ['fails', "test.fails('cited', () => expect(1).toBe(1))"],
  ['is skipped in some case', "test.skipIf(true)('cited', () => expect(1).toBe(1))"],
  ['runs in some case', "test.runIf(false)('cited', () => expect(1).toBe(1))"],
  ['runs for each row of none', "test.each([])('cited', () => expect(1).toBe(1))"],
  ['runs in a loop over none', "for (const row of []) test('cited', () => expect(row).toBe(1))"],
  ['is behind an if', "if (false) test('cited', () => expect(1).toBe(1))"],
  ['is behind an if, in a block', "if (false) { test('cited', () => expect(1).toBe(1)) }"],
  ['is behind an &&', "false && test('cited', () => expect(1).toBe(1))"],
  ['is behind a ?', "yes ? test('cited', () => expect(1).toBe(1)) : 0"],
  ['is in a function of the file', "function f() { test('cited', () => expect(1).toBe(1)) }"],
  ['is after a return', "describe('cited', () => { return; test('a', () => expect(1).toBe(1)) })"],
  ['is in a skipped group', "describe.skip('', () => { test('cited', () => expect(1).toBe(1)) })"],
  ['is in a skipIf group', "describe.skipIf(1)('', () => test('cited', () => expect(1).toBe(1)))"],
  ['is a group without tests', "describe('cited', () => {})"],
  [
    'is a group of skipped tests',
    "describe('cited', () => test.skip('a', () => expect(1).toBe(1)))",
  ],
  ['is beside a skip', "test.skip(isHere, 'why')\ntest('cited', () => expect(1).toBe(1))"],
  [
    'is beside a skip in a hook',
    "beforeEach((info) => info.skip())\ntest('cited', () => expect(1).toBe(1))",
  ],
  ['skips itself', "test('cited', ({ skip }) => { skip(); expect(1).toBe(1) })"],
  ['skips itself in some case', "test('cited', () => { test.skip(isHere); expect(1).toBe(1) })"],
  ['is expected to fail', "test('cited', () => { test.fail(); expect(1).toBe(1) })"],
  ['is empty', "test('cited', () => {})"],
  ['has no code', "test('cited')"],
  ['expects nothing', "test('cited', () => { run(1) })"],
  ['compares nothing', "test('cited', () => { expect(1) })"],
  ['counts nothing', "test('cited', () => { expect.assertions(0) })"],
  ['expects in some case', "test('cited', () => { if (isHere) expect(1).toBe(1) })"],
  ['expects of an error', "test('cited', () => { try { run() } catch { expect(1).toBe(1) } })"],
  ['expects of a rejection', "test('cited', () => run().catch((error) => expect(error).toBe(1)))"],
  [
    'has a table in an empty constant',
    "const rows = []\ntest.each(rows)('cited', () => expect(1).toBe(1))",
  ],
  ['has a typed one', "const rows = [] as const\ntest.for(rows)('cited', () => expect(1).toBe(1))"],
  ['expects in a loop over none', "test('cited', () => { for (const x of []) expect(x).toBe(1) })"],
  ['expects for each of none', "test('cited', () => { [].forEach((x) => expect(x).toBe(1)) })"],
  ['swallows what it expects', "test('cited', () => { try { expect(1).toBe(2) } catch {} })"],
  ['never calls what expects', "test('cited', () => { const check = () => expect(1).toBe(2) })"],
  ['never calls it', "test('cited', () => { function check() { expect(1).toBe(2) } run() })"],
  ['is skipped by an option', "test('cited', { skip: true }, () => { expect(1).toBe(1) })"],
  ['is to be written by an option', "test('cited', { todo: true }, () => { expect(1).toBe(1) })"],
  ['fails by an option', "test('cited', { fails: true }, () => { expect(1).toBe(2) })"],
  ['is for none', "test.for([])('cited', () => { expect(1).toBe(1) })"],
  ['is for none with a type', "test.for([] as number[])('cited', () => { expect(1).toBe(1) })"],
  ['returns first', "test('cited', () => { return; expect(1).toBe(1) })"],
  ['returns first in some case', "test('cited', () => { if (!on) return; expect(1).toBe(1) })"],
])('a test that %s proves nothing', (_, source) => {
  expect(testNames('some.test.ts', source)).toEqual([])
})

/** @param {string} root */
function gapsIn(root) {
  return readSpec(root).flatMap(({ id, missing }) => (missing ? [`${id}: ${missing}`] : []))
}

/** @param {number} count */
function rules(count) {
  return Array.from({ length: count }, (_, index) => `- **I${index + 1}** A rule.\n`).join('')
}

/** @param {number} count */
function onPage(count) {
  return Array.from({ length: count }, (_, index) => `- **UI${index + 1}** The page.\n`).join('')
}

/**
 * A test for each line of a list.
 *
 * @param {string} lines
 */
function testsOf(lines) {
  return lines.replaceAll(/- \*\*(.*)\*\*.*/g, "test('[$1] holds', () => expect(1).toBe(1))")
}

/**
 * A folder with these files, until the test is over.
 *
 * @param {{ readonly [path: string]: string }} files
 */
function project(files) {
  const root = mkdtempSync(join(tmpdir(), 'spec-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSpec, testNames } from './spec.mjs'

test('every rule is written in SPEC.md, and every rule and requirement is cited by a test', () => {
  expect(gapsIn('.')).toEqual([])
})

test('a rule that is not written or not cited is a gap', () => {
  const root = project({
    'SPEC.md': rules(38).replace('- **I2** A rule.\n', ''),
    'REQUIREMENTS.md': '',
    'some.test.ts': rules(37).replaceAll(/- \*\*(I\d+)\*\*.*/g, "test('[$1] holds', () => {})"),
  })

  expect(gapsIn(root)).toEqual(['I2: SPEC.md does not have it', 'I38: no test cites it'])
})

test('a requirement is shown by a test that cites it, or by everything its arrow names', () => {
  const root = project({
    'SPEC.md': rules(38),
    'REQUIREMENTS.md': `
- **S000-1** One.
- **S000-2** Two.
- **C1** Three. → I1, S000-1
- **C2** Four. → I1, S000-2
- **C3** Five. → S000-2
`,
    'folder/some.contract.ts': rules(38).replaceAll(
      /- \*\*(I\d+)\*\*.*/g,
      "test('[$1] [S000-1] [C3] holds', () => {})",
    ),
    'node_modules/other.test.ts': "test('[S000-2] is of another project', () => {})",
  })

  expect(gapsIn(root)).toEqual(['S000-2: no test cites it', 'C2: no test cites S000-2'])
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

/** @param {string} root */
function gapsIn(root) {
  return readSpec(root).flatMap(({ id, missing }) => (missing ? [`${id}: ${missing}`] : []))
}

/** @param {number} count */
function rules(count) {
  return Array.from({ length: count }, (_, index) => `- **I${index + 1}** A rule.\n`).join('')
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

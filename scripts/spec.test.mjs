import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('every rule of SPEC.md is cited by a test', () => {
  const rules = [...readFileSync('SPEC.md', 'utf8').matchAll(/^- \*\*(I\d+)\*\*/gm)].map(
    ([, rule]) => rule,
  )

  const tests = testFiles().map((file) => readFileSync(file, 'utf8'))

  expect(rules.length).toBeGreaterThan(30)
  expect(rules.filter((rule) => !tests.some((text) => text.includes(`[${rule}]`)))).toEqual([])
})

function testFiles() {
  const listing = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  return listing.split('\n').filter((file) => /\.(test|spec|contract)\.[cm]?[jt]sx?$/.test(file))
}

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutants } from './list.mjs'
import { patched, sources } from './patch-plugin.mjs'

test.for(mutants)('the patch still fits: $name', ({ edits }) => {
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const code = readFileSync(`${sources}${file}`, 'utf8')
    const own = edits.filter((edit) => edit.file === file)

    expect(patched(code, own)).not.toBe(code)
  }
})

test('each fault has a name of its own', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const entries = [
  'packages/core/src/index.ts',
  'packages/core/src/worker.ts',
  'packages/core/src/adapters.ts',
  'packages/core/src/anthropic.ts',
  'packages/core/src/openai.ts',
  'packages/core/src/chrome.ts',
  'packages/core/src/json-schema.ts',
  'packages/core/src/isolated.ts',
  'packages/core/src/testing.ts',
  'packages/core/src/vite.ts',
  'packages/react/src/index.ts',
]

test('every public export says what it promises', () => {
  const exports = entries.flatMap(exportsOf)

  expect(exports.length).toBeGreaterThan(50)
  expect(exports.filter((each) => !isDocumented(each)).map(({ name }) => name)).toEqual([])
})

/**
 * The names an entry exports, each with the file that declares it.
 * @param {string} entry
 */
function exportsOf(entry) {
  const lists = readFileSync(entry, 'utf8').matchAll(/export (?:type )?\{([^}]*)\} from '([^']*)'/g)
  return [...lists].flatMap(([, names = '', file = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== '')
      .map((name) => ({ name, file: join(dirname(entry), file) })),
  )
}

/** @param {{ name: string, file: string }} each */
function isDocumented({ name, file }) {
  const declaration = `\\*/\\nexport (?:async )?(?:function|const|class|interface|type) ${name}\\b`
  return new RegExp(declaration).test(readFileSync(file, 'utf8'))
}

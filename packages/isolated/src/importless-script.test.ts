import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { importlessScript } from './importless-script.ts'

const scope = createContext({})
runInContext(`${importlessScript}\nthis.makers = [withoutImports, withoutDynamicImports]`, scope)

const gap = fc
  .array(fc.constantFrom(' ', '\n', '\u00a0', '/* import( */', '/*\\*/', '// from "a"\n', '/**/'), {
    maxLength: 3,
  })
  .map((parts) => parts.join(''))
const gapped = (...words: readonly string[]) =>
  fc.array(gap, { minLength: words.length, maxLength: words.length }).map((gaps) => {
    const parts = words.flatMap((word, n) => [gaps[n] ?? '', word])
    return parts.join('')
  })

/** Ways to import. */
const imports = fc.oneof(
  gapped('import', '(', '"a"', ')'),
  gapped('import', '(', '"a"', ')').map((asked) => `[...${asked}]`),
  gapped('import', '.', 'defer', '(', '"a"', ')'),
  gapped('import', '"a"', ';'),
  gapped('import', '{a as b}', 'from', "'a'", ';'),
  gapped('import', '*', 'as c ', 'from', "'a'", ';'),
  gapped('export', '*', 'from', '"a"', ';'),
  gapped('export', '{a as d}', 'from', "'a'", ';'),
)
/** What may stand before them, so that they look like a part of something else. */
const disguises = fc.constantFrom(
  '',
  ';',
  '/\\\\/;',
  '/[/\\\\]/g;',
  "'\\\\';",
  '`\\\\`;',
  '`\u0024{1}`;',
  '`\u0024{`\\``}`;',
  '/*\\*/',
  '//\\\n',
  'a\n/b/\n',
  'void 0,',
  '<!--\\\n',
  '#!a\\\n',
)

test('[P7] no code imports anything, however it is written', () => {
  let legal = 0
  fc.assert(
    fc.property(fc.array(fc.tuple(disguises, imports), { maxLength: 3 }), (parts) => {
      const text = parts.flat().join('')
      legal += importsIn(text) > 0 ? 1 : 0
      for (const made of remade(text)) expect(importsIn(made), made).toBe(0)
    }),
    { numRuns: 1000 },
  )
  // Else it would be easy.
  expect(legal).toBeGreaterThan(200)
})

test('[P7] code that imports nothing is the same code', () => {
  const word = fc.constantFrom('import', 'from', ' ', '(', '"', "'", '\\', '.', 'meta', 'a', '\n')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), (words) => {
      const text = words.join('')
      const quoted = JSON.stringify(text)
      const code = `[${quoted}, \`${text.replaceAll(/[\\`]/g, '\\$&')}\`, /[${quoted.slice(1, -1)}]/.test(${quoted}), { import: 1, from: 2 }.import]`
      const expected: unknown = runInContext(code, scope)
      for (const made of remade(code).slice(0, 1)) {
        expect(runInContext(made, scope)).toEqual(expected)
      }
    }),
    { numRuns: 500 },
  )
})

test('[P7] code with an import for another platform runs, and its import is refused', () => {
  const [, second] = remade('typeof process === "x" ? import("node:fs") : refuseImport')
  runInContext('refuseImport = () => "refused"', scope)

  expect(second).toBe('typeof process === "x" ? refuseImport("node:fs") : refuseImport')
  expect(remade('import.meta.url')).toEqual(['import.meta.url', 'import.meta.url'])
})

function remade(text: string): readonly string[] {
  const code = `makers.map((make) => make(${JSON.stringify(text)})).join('\\0')`
  return String(runInContext(code, scope)).split('\0')
}

/** How many modules the code names. None, if it is no code. */
function importsIn(code: string): number {
  const { errors, module } = parseSync('a.mjs', code)
  if (errors.length > 0) return 0
  const exportsFrom = module.staticExports.flatMap(({ entries }) =>
    entries.filter(({ moduleRequest }) => moduleRequest),
  )
  return module.staticImports.length + module.dynamicImports.length + exportsFrom.length
}

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The JavaScript of the guides as files that a compiler reads, each block a function. What is TypeScript there is code of
 * the examples, which is compiled anyway. A block that leaves something out (`…`), or is no module, is none of them.
 *
 * @param {string} docs
 * @param {string} folder
 */
export function writeDocumentCode(docs, folder) {
  mkdirSync(folder)
  for (const name of readdirSync(docs).filter((one) => one.endsWith('.md'))) {
    const text = readFileSync(join(docs, name), 'utf8')
    for (const { 0: block, 1: code = '', index } of text.matchAll(/^```jsx?\n([\s\S]*?)^```/gm)) {
      if (/ … |require\(/.test(block)) continue
      const line = text.slice(0, index).split('\n').length
      writeFileSync(join(folder, `${name}-${line}.jsx`), asModule(code))
    }
  }
}

/**
 * A guide shows expressions, and parts of a component, without what is around them.
 *
 * @param {string} code
 */
function asModule(code) {
  const lines = code.split('\n')
  const isImport = (/** @type {string} */ line) => line.startsWith('import ')
  const body = lines.filter((line) => !isImport(line)).join('\n')
  const statements = body.replaceAll(/^export (default )?/gm, '').replaceAll(/^(?=<|\(\))/gm, ';')
  return `${lines.filter(isImport).join('\n')}
export async function example() {
${statements}}
`
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testNames } from './test-names.mjs'

/**
 * @typedef {{ name: string, file: string }} Citation
 * @typedef {{ id: string, citations: readonly Citation[], missing?: string }} Line
 */

const ruleCount = 40
const pageCount = 28
const ruleLine = /^- \*\*([A-Z]+\d+)\*\*/gm

/**
 * Every rule and every requirement, each with the tests that cite it. `missing` says what a gap lacks.
 *
 * @param {string} root
 * @returns {readonly Line[]}
 */
export function readSpec(root) {
  const cited = citationsIn(root)
  return [...rules(root, cited), ...requirements(root, cited)]
}

/**
 * A rule keeps its number for ever, so I1 to I40 must be in SPEC.md. Rules with other letters may come and go.
 *
 * @param {string} root
 * @param {ReadonlyMap<string, readonly Citation[]>} cited
 * @returns {readonly Line[]}
 */
function rules(root, cited) {
  const written = new Set([...read(root, 'SPEC.md').matchAll(ruleLine)].map(([, id = '']) => id))
  return [...new Set([...numbered('I', ruleCount), ...written])].map((id) => ({
    ...lineOf(id, cited),
    ...(!written.has(id) && { missing: 'SPEC.md does not have it' }),
  }))
}

/**
 * A row with an arrow is proven by the rules that the arrow names, or by a test of its own. What the page must do is a list
 * with numbers: UI1 to UI28 must be in REQUIREMENTS.md.
 *
 * @param {string} root
 * @param {ReadonlyMap<string, readonly Citation[]>} cited
 * @returns {readonly Line[]}
 */
function requirements(root, cited) {
  const rows = [
    ...read(root, 'REQUIREMENTS.md').matchAll(/^- \*\*((?:S\d{3}-|C|UI)\d+)\*\*(.*)$/gm),
  ]
  const written = new Set(rows.map(([, id]) => id))
  const lost = numbered('UI', pageCount).filter((id) => !written.has(id))
  const proven = rows.map(([, id = '', text = '']) => {
    const [, arrow] = text.split('→')
    const line = lineOf(id, cited)
    if (arrow === undefined || line.citations.length > 0) return line
    const named = arrow.split(',').map((one) => one.trim())
    const open = named.filter((one) => !cited.has(one))
    return open.length === 0
      ? { id, citations: named.flatMap((one) => cited.get(one)?.slice(0, 1) ?? []) }
      : { id, citations: [], missing: `no test cites ${open.join(', ')}` }
  })
  const missing = 'REQUIREMENTS.md does not have it'
  return [...proven, ...lost.map((id) => ({ ...lineOf(id, cited), missing }))]
}

/**
 * @param {string} letters
 * @param {number} count
 */
function numbered(letters, count) {
  return Array.from({ length: count }, (_, index) => `${letters}${index + 1}`)
}

/**
 * @param {string} id
 * @param {ReadonlyMap<string, readonly Citation[]>} cited
 * @returns {Line}
 */
function lineOf(id, cited) {
  const citations = cited.get(id) ?? []
  return { id, citations, ...(citations.length === 0 && { missing: 'no test cites it' }) }
}

/**
 * The tests by the ids that their names cite in brackets.
 *
 * @param {string} root
 * @returns {ReadonlyMap<string, readonly Citation[]>}
 */
function citationsIn(root) {
  /** @type {Map<string, Citation[]>} */
  const cited = new Map()
  for (const file of testFiles(root, '.')) {
    for (const name of testNames(file, read(root, file))) {
      for (const [, id = ''] of name.matchAll(/\[([A-Z]+\d+|S\d{3}-\d+)\]/g)) {
        cited.set(id, [...(cited.get(id) ?? []), { name, file }])
      }
    }
  }
  return cited
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function testFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      return /^(\.|node_modules$|dist$)/.test(entry.name) ? [] : testFiles(root, path)
    }
    return /\.(test|spec|contract)\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : []
  })
}

/**
 * @param {string} root
 * @param {string} file
 */
function read(root, file) {
  return readFileSync(join(root, file), 'utf8')
}

/** @param {readonly Line[]} lines */
function print(lines) {
  for (const { id, citations } of lines) {
    console.log(`${id.padEnd(8)} ${citations.length} tests`)
    for (const { name, file } of citations) console.log(`         ${file}: ${name}`)
  }
  const gaps = lines.filter(({ missing }) => missing !== undefined)
  console.log(`\n${lines.length} rules and requirements, ${gaps.length} gaps`)
  for (const { id, missing } of gaps) console.log(`  ${id.padEnd(8)} ${missing}`)
  return gaps.length
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const gaps = print(readSpec(fileURLToPath(new URL('..', import.meta.url))))
  process.exitCode = gaps > 0 ? 1 : 0
}

import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { impureMembers, pureNames, pureTypes } from '../layers.config.mjs'
import { freeNames } from './free-names.mjs'
import { childrenOf, memberOf } from './syntax-tree.mjs'

/**
 * @typedef {import('./syntax-tree.mjs').Node} Node
 * @typedef {{ specifier: string, line: number, typeOnly: boolean }} Import
 * @typedef {{ what: string, line: number }} Impurity
 */

/**
 * What a module imports: re-exports, dynamic and type imports included, those of JSDoc as well.
 *
 * @param {string} file
 * @returns {Import[]}
 */
export function importsOf(file) {
  const { program, comments, lineOf } = read(file)
  /** @type {Import[]} */
  const imports = []
  walk(program, (node) => {
    const imported = importOf(node)
    if (imported) imports.push({ ...imported, line: lineOf(node.start) })
  })
  for (const { value, start } of file.endsWith('.mjs') ? comments : []) {
    for (const [, specifier = ''] of value.matchAll(/\bimport\('([^']+)'\)/g))
      imports.push({ specifier, line: lineOf(start), typeOnly: true })
  }
  return imports
}

/**
 * @param {string} file
 * @returns {Impurity[]}
 */
export function impuritiesOf(file) {
  const { program, lineOf } = read(file)
  /** @type {Impurity[]} */
  const impurities = []
  walk(program, (node) => {
    const what = impureSyntax(node)
    if (what) impurities.push({ what, line: lineOf(node.start) })
  })
  for (const free of freeNames(program)) {
    const what = impureName(free)
    if (what) impurities.push({ what, line: lineOf(free.start) })
  }
  return impurities
}

/** @param {string} file */
function read(file) {
  const source = readFileSync(file, 'utf8')
  const { program, comments, errors } = parseSync(file, source, { sourceType: 'module' })
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const lineOf = (/** @type {number} */ start) => source.slice(0, start).split('\n').length
  return { program, comments, lineOf }
}

/**
 * @param {Node} node
 * @param {(node: Node) => void} visit
 */
function walk(node, visit) {
  visit(node)
  for (const { child } of childrenOf(node)) walk(child, visit)
}

/** @param {Node} node */
function importOf(node) {
  const { type, source } = node
  if (type === 'TSImportType') return { specifier: String(source?.value), typeOnly: true }
  if (type === 'ImportExpression') {
    // A computed specifier cannot be checked, so it is reported as one that cannot be resolved.
    return { specifier: String(source?.value ?? '(computed)'), typeOnly: false }
  }
  if (!/^(Import|ExportNamed|ExportAll)Declaration$/.test(type) || !source) return undefined
  return {
    specifier: String(source.value),
    typeOnly: (node.importKind ?? node.exportKind) === 'type',
  }
}

/** @param {Node} node */
function impureSyntax(node) {
  const { type } = node
  if (node.async === true) return 'async'
  if (type === 'AwaitExpression' || node.await === true || node.kind === 'await using')
    return 'await'
  if (type === 'ImportExpression') return 'import()'
  if (type === 'MetaProperty') return 'import.meta'
  const member = /^(MemberExpression|Property)$/.test(type) ? memberOf(node) : undefined
  return member !== undefined && impureMembers.test(member) ? `.${member}` : undefined
}

/** @param {import('./free-names.mjs').FreeName} free */
function impureName({ name, member, isType }) {
  if (pureNames.includes(name) || (isType && pureTypes.includes(name))) return undefined
  const inMembers = pureNames.some((pure) => pure.startsWith(`${name}.`))
  if (!inMembers || member === undefined) return name
  return pureNames.includes(`${name}.${member}`) ? undefined : `${name}.${member}`
}

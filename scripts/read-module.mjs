import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { impureNames } from '../layers.config.mjs'

/**
 * @typedef {{ specifier: string, line: number, typeOnly: boolean }} Import
 * @typedef {{ what: string, line: number }} Impurity
 *
 * The few fields read here, of any ESTree node.
 * @typedef {{
 *   type: string, start: number, name?: string, value?: unknown, computed?: boolean,
 *   async?: boolean, await?: boolean, importKind?: string, exportKind?: string,
 *   source?: Node, object?: Node, property?: Node,
 * }} Node
 * @typedef {{ key: string, parent: Node | undefined }} Place
 */

/**
 * What a module imports (re-exports, dynamic and type imports included) and what in it is impure.
 *
 * @param {string} file
 * @returns {{ imports: Import[], impurities: Impurity[] }}
 */
export function readModule(file) {
  const source = readFileSync(file, 'utf8')
  const { program, errors } = parseSync(file, source, { sourceType: 'module' })
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)

  /** @type {Import[]} */
  const imports = []
  /** @type {Impurity[]} */
  const impurities = []
  walk(program, (node, place) => {
    const line = source.slice(0, node.start).split('\n').length
    const imported = importOf(node)
    if (imported) imports.push({ ...imported, line })
    const what = impurityOf(node, place)
    if (what) impurities.push({ what, line })
  })
  return { imports, impurities }
}

/**
 * @param {Node} node
 * @param {(node: Node, place: Place) => void} visit
 * @param {Place} [place]
 */
function walk(node, visit, place = { key: '', parent: undefined }) {
  visit(node, place)
  for (const [key, value] of Object.entries(node)) {
    /** @type {unknown[]} */
    const children = Array.isArray(value) ? value : [value]
    for (const child of children) {
      if (isNode(child)) walk(child, visit, { key, parent: node })
    }
  }
}

/**
 * @param {unknown} value
 * @returns {value is Node}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** @param {Node} node */
function importOf(node) {
  const { type, source } = node
  if (type === 'TSImportType') return { specifier: String(source?.value), typeOnly: true }
  if (type === 'ImportExpression') {
    // A computed specifier cannot be checked, so it is shown as it cannot be resolved either.
    return { specifier: String(source?.value ?? '(computed)'), typeOnly: false }
  }
  if (!/^(Import|ExportNamed|ExportAll)Declaration$/.test(type) || !source) return undefined
  return {
    specifier: String(source.value),
    typeOnly: (node.importKind ?? node.exportKind) === 'type',
  }
}

/**
 * @param {Node} node
 * @param {Place} place
 */
function impurityOf(node, place) {
  if (node.async === true) return 'async'
  if (node.type === 'AwaitExpression' || node.await === true) return 'await'
  if (node.type === 'ImportExpression') return 'import()'
  if (node.type === 'MemberExpression' && isMathRandom(node)) return 'Math.random'
  const { type, name } = node
  if (type !== 'Identifier' || !name || !impureNames.includes(name)) return undefined
  return isOnlyAName(place) ? undefined : name
}

/** @param {Node} node */
function isMathRandom({ object, property }) {
  return object?.name === 'Math' && (property?.name ?? property?.value) === 'random'
}

/**
 * `event.document` and `{ document: … }` name a member; they do not reach for the global.
 *
 * @param {Place} place
 */
function isOnlyAName({ parent, key }) {
  if (parent?.computed) return false
  return (
    key === 'key' || key === 'property' || key === 'label' || parent?.type === 'TSQualifiedName'
  )
}

import { readdirSync, realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ResolverFactory } from 'oxc-resolver'
import { rules, sharedTestFile, testFile } from '../layers.config.mjs'
import { importsOf, impuritiesOf } from './read-module.mjs'

/**
 * @typedef {{ specifier: string, line: number, typeOnly: boolean, target: string | undefined }} Edge
 * @typedef {ReadonlyMap<string, readonly Edge[]>} Graph each file of the repository with its imports
 * @typedef {import('../layers.config.mjs').Rule} Rule
 * @typedef {{ source: string, rule: Rule, files: readonly string[] }} Package its product code
 */

const extensions = ['.ts', '.tsx']
const resolver = new ResolverFactory({
  extensions,
  conditionNames: ['types', 'import', 'default'],
})
/** For a package that names files for its types which are not there, as the compiler allows it. */
const resolverOfCode = new ResolverFactory({ extensions, conditionNames: ['import', 'default'] })

const liesOutside = 'it lies outside this package; import the package by its name.'

/**
 * Reports every broken rule under `root` in a sentence of its own. An empty list is a clean tree.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function checkLayers(root) {
  // The resolver returns real paths; under a linked root every file would seem to lie outside.
  const realRoot = realpathSync(root)
  const graph = readGraph(realRoot)
  const broken = Object.entries(rules).flatMap(([name, rule]) => {
    const source = `${name}/src/`
    const files = [...graph.keys()].filter(
      (file) => file.startsWith(source) && !testFile.test(file),
    )
    return [
      ...checkPackage(realRoot, { source, rule, files }, graph),
      ...outside(`${name}/`, rule, graph),
    ]
  })
  return [...broken, ...cycles(graph)]
}

/**
 * @param {string} root
 * @param {Package} checked
 * @param {Graph} graph
 */
function checkPackage(root, checked, graph) {
  const imports = checked.files.flatMap((file) =>
    (graph.get(file) ?? []).flatMap((edge) => {
      const broken = brokenRule(file, edge, checked)
      return broken ? [`${file}:${edge.line} imports "${edge.specifier}": ${broken}`] : []
    }),
  )
  return [...imports, ...homeless(checked), ...impure(root, checked, graph)]
}

/**
 * Tests are free within their package. What they use of another one has to be public; or a suite or data for tests,
 * unless their package stands alone.
 *
 * @param {string} folder of the package
 * @param {Rule} rule
 * @param {Graph} graph
 */
function outside(folder, { standsAlone = false }, graph) {
  const tests = [...graph].filter(([file]) => file.startsWith(folder) && testFile.test(file))
  return tests.flatMap(([file, imports]) =>
    imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter(({ target }) => target !== undefined && !target.startsWith(folder))
      .filter(({ target }) => standsAlone || !sharedTestFile.test(target ?? ''))
      .map(({ specifier, line }) => `${file}:${line} imports "${specifier}": ${liesOutside}`),
  )
}

/**
 * @param {string} root
 * @returns {Graph}
 */
function readGraph(root) {
  return new Map(
    filesIn(root).map((file) => {
      const imports = importsOf(join(root, file))
      return [file, imports.map((one) => ({ ...one, target: targetOf(root, file, one.specifier) }))]
    }),
  )
}

/**
 * @param {string} root
 * @param {string} [folder] ends with a slash
 * @returns {string[]}
 */
function filesIn(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name
    if (!entry.isDirectory()) return /\.(tsx?|mjs)$/.test(path) ? [path] : []
    return /^(\.|node_modules$|dist$)/.test(entry.name) ? [] : filesIn(root, `${path}/`)
  })
}

/**
 * @param {string} root
 * @param {string} file
 * @param {string} specifier
 * @returns {string | undefined} relative to the root, undefined when there is no such module
 */
function targetOf(root, file, specifier) {
  const asked = /** @type {const} */ ([dirname(join(root, file)), specifier.replace(/\?.*/, '')])
  const path = resolver.sync(...asked).path ?? resolverOfCode.sync(...asked).path
  return path && relative(root, path).split(sep).join('/')
}

/**
 * @param {string} file
 * @param {Edge} edge
 * @param {Package} checked
 */
function brokenRule(file, { specifier, target, typeOnly }, checked) {
  const { source, rule } = checked
  if (!specifier.startsWith('.')) {
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
    if (!rule.packages.includes(name))
      return `only ${rule.packages.join(', ')} may be imported by name.`
    if (!target && !isBuiltin(specifier)) return 'there is no such module.'
    return !typeOnly && isPure(file, checked) ? `${rule.pure} uses no package.` : undefined
  }
  if (!target) return 'there is no such module.'
  if (testFile.test(target)) return 'product code does not import tests.'
  if (!target.startsWith(source)) return liesOutside
  const [from, to] = [partOf(file, checked), partOf(target, checked)]
  const inside = from === to && from !== undefined ? rule.inside?.[from] : undefined
  return inside
    ? brokenOrder(roomOf(file, `${source}${from}/`), roomOf(target, `${source}${from}/`), inside)
    : brokenLayer(from, to, rule)
}

/**
 * @param {string | undefined} from
 * @param {string | undefined} to
 * @param {Rule} rule
 */
function brokenLayer(from, to, { layers }) {
  if (!layers || !from || !to || from === to) return undefined
  const rowOf = (/** @type {string} */ part) => layers.findIndex((row) => row.includes(part))
  if (rowOf(from) === rowOf(to)) return `${from} and ${to} are strangers.`
  return rowOf(from) > rowOf(to) ? `${from} lies below ${to}; imports go down.` : undefined
}

/**
 * @param {string} from
 * @param {string} to
 * @param {readonly string[]} rooms from the top to the bottom
 */
function brokenOrder(from, to, rooms) {
  if (from === to) return undefined
  const missing = [from, to].find((room) => !rooms.includes(room))
  if (missing !== undefined) return `${missing} has no place in layers.config.mjs.`
  return rooms.indexOf(from) > rooms.indexOf(to)
    ? `${from} lies below ${to}; imports go down.`
    : undefined
}

/**
 * The folder of a part that a file is in; `.` for the part itself.
 *
 * @param {string} path
 * @param {string} part ends with a slash
 */
function roomOf(path, part) {
  const rest = path.slice(part.length)
  return rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : '.'
}

/**
 * @param {string} path
 * @param {Package} checked
 */
function partOf(path, { source, rule: { layers = [] } }) {
  const file = path.slice(source.length)
  const isIn = (/** @type {string} */ part) =>
    file === part ||
    file.startsWith(`${part}/`) ||
    (/^[^/]+$/.test(file) && new RegExp(`^${part}[.-]`).test(file))
  return layers.flat().find(isIn)
}

/**
 * @param {string} file
 * @param {Package} checked
 */
function isPure(file, checked) {
  return checked.rule.pure !== undefined && partOf(file, checked) === checked.rule.pure
}

/** @param {Package} checked */
function homeless(checked) {
  const files = checked.rule.layers ? checked.files.filter((file) => !partOf(file, checked)) : []
  return files.map((file) => `${file} belongs to no layer; give it a place in layers.config.mjs.`)
}

/**
 * What pure code uses at run time must be pure as well, or it is pure in name only.
 *
 * @param {string} root
 * @param {Package} checked
 * @param {Graph} graph
 */
function impure(root, checked, graph) {
  const files = new Set(checked.files.filter((file) => isPure(file, checked)))
  for (const file of files) {
    for (const { target, typeOnly } of graph.get(file) ?? []) {
      if (target && !typeOnly && graph.has(target)) files.add(target)
    }
  }
  return [...files].flatMap((file) =>
    impuritiesOf(join(root, file)).map(
      ({ what, line }) => `${file}:${line} uses ${what}; ${checked.rule.pure} is pure.`,
    ),
  )
}

/**
 * Type imports count: two files that need each other's types cannot be read alone either.
 *
 * @param {Graph} graph
 */
function cycles(graph) {
  /** @type {string[]} */
  const found = []
  /** @type {Set<string>} */
  const done = new Set()
  const visit = (/** @type {string} */ file, /** @type {string[]} */ path) => {
    if (path.includes(file))
      found.push(`${[...path.slice(path.indexOf(file)), file].join(' → ')} is a cycle.`)
    if (path.includes(file) || done.has(file)) return
    for (const { target } of graph.get(file) ?? []) {
      if (target && graph.has(target)) visit(target, [...path, file])
    }
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return found
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const broken = checkLayers(fileURLToPath(new URL('..', import.meta.url)))
  for (const sentence of broken) console.error(sentence)
  console.log(
    broken.length ? `${broken.length} broken layer rules (layers.config.mjs).` : 'Layers hold.',
  )
  process.exitCode = broken.length ? 1 : 0
}

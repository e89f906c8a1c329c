import { readdirSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ResolverFactory } from 'oxc-resolver'
import { rules, testFile } from '../layers.config.mjs'
import { readModule } from './read-module.mjs'

/**
 * @typedef {import('./read-module.mjs').Impurity} Impurity
 * @typedef {{ specifier: string, line: number, typeOnly: boolean, target: string | undefined }} Edge
 * @typedef {Map<string, { imports: Edge[], impurities: Impurity[] }>} Graph
 * @typedef {typeof rules[string]} Rule
 */

const resolver = new ResolverFactory({
  extensions: ['.ts', '.tsx'],
  conditionNames: ['types', 'import', 'default'],
})

/**
 * Every broken rule under `root`, one sentence each; an empty list is a clean tree.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function checkLayers(root) {
  return Object.entries(rules).flatMap(([name, rule]) => {
    // The resolver answers with real paths; a linked root would make every file look foreign.
    const source = join(realpathSync(root), name, 'src')
    const graph = readGraph(source)
    const found = [
      ...[...graph].flatMap(([file, { imports }]) =>
        imports.flatMap((edge) => {
          const broken = brokenRule(file, edge, { rule, graph })
          return broken ? [`${file}:${edge.line} imports "${edge.specifier}": ${broken}`] : []
        }),
      ),
      ...homeless(graph, rule),
      ...impure(graph, rule),
      ...cycles(graph),
    ]
    return found.map((sentence) => `${name}/src/${sentence}`)
  })
}

/**
 * @param {string} source
 * @returns {Graph}
 */
function readGraph(source) {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !testFile.test(file))
  return new Map(
    files.sort().map((file) => {
      const { imports, impurities } = readModule(join(source, file))
      const edges = imports.map((found) => ({
        ...found,
        target: targetOf(source, file, found.specifier),
      }))
      return [file, { imports: edges, impurities }]
    }),
  )
}

/**
 * @param {string} source
 * @param {string} file
 * @param {string} specifier
 * @returns {string | undefined} relative to the source folder, undefined when there is no such module
 */
function targetOf(source, file, specifier) {
  const { path } = resolver.sync(dirname(resolve(source, file)), specifier)
  return path && relative(source, path).split(sep).join('/')
}

/**
 * @param {string} file
 * @param {Edge} edge
 * @param {{ rule: Rule, graph: Graph }} context
 */
function brokenRule(file, { specifier, target, typeOnly }, { rule, graph }) {
  if (!specifier.startsWith('.')) {
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
    if (!rule.packages.includes(name))
      return `only ${rule.packages.join(', ')} may be imported by name.`
    if (!target) return 'there is no such module.'
    return !typeOnly && rule.pure && partOf(file, rule) === rule.pure
      ? `${rule.pure} uses no package.`
      : undefined
  }
  if (!target) return 'there is no such module.'
  if (testFile.test(target)) return 'product code does not import tests.'
  if (!graph.has(target)) return 'it lies outside this package; import the package by its name.'
  return brokenLayer(partOf(file, rule), partOf(target, rule), rule)
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
 * @param {string} file
 * @param {Rule} rule
 */
function partOf(file, { layers = [] }) {
  const isIn = (/** @type {string} */ part) =>
    file === part ||
    file.startsWith(`${part}/`) ||
    (/^[^/]+$/.test(file) && new RegExp(`^${part}[.-]`).test(file))
  return layers.flat().find(isIn)
}

/**
 * @param {Graph} graph
 * @param {Rule} rule
 */
function homeless(graph, rule) {
  const files = rule.layers ? [...graph.keys()].filter((file) => !partOf(file, rule)) : []
  return files.map((file) => `${file} belongs to no layer; give it a place in layers.config.mjs.`)
}

/**
 * What pure code uses at run time must be pure as well, or it is pure in name only.
 *
 * @param {Graph} graph
 * @param {Rule} rule
 */
function impure(graph, rule) {
  const files = new Set(
    [...graph.keys()].filter((file) => rule.pure && partOf(file, rule) === rule.pure),
  )
  for (const file of files) {
    for (const { target, typeOnly } of graph.get(file)?.imports ?? []) {
      if (target && !typeOnly) files.add(target)
    }
  }
  return [...files].flatMap((file) =>
    (graph.get(file)?.impurities ?? []).map(
      ({ what, line }) => `${file}:${line} uses ${what}; ${rule.pure} is pure.`,
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
    for (const { target } of graph.get(file)?.imports ?? []) {
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

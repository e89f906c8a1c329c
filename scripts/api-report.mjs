/**
 * `npm run api`: what the packages export, as one committed report for each entry. Fails where the public API is not
 * what its report says, where an exported name has no docstring, and where a limit is passed.
 * `npm run api -- --update` writes the reports.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorMessageCategory,
} from '@microsoft/api-extractor'
import { run } from './child.mjs'
import { readApiReport } from './read-api-report.mjs'

/**
 * The most names an entry may export, and the most members of theirs that may lack a docstring. A number may only
 * become smaller. Where there is none, names have no limit and every member has its docstring.
 *
 * @type {{ readonly [entry: string]: { readonly names?: number, readonly undocumented?: number } }}
 */
const limits = {
  '@offthread/core': { names: 90, undocumented: 86 },
  '@offthread/core/worker': { undocumented: 6 },
  '@offthread/core/loop': { undocumented: 4 },
  '@offthread/core/anthropic': { undocumented: 31 },
  '@offthread/core/openai': { undocumented: 13 },
  '@offthread/core/testing': { undocumented: 10 },
  '@offthread/core/vite': { undocumented: 5 },
  '@offthread/adapters': { undocumented: 16 },
  '@offthread/adapters/ai-sdk': { undocumented: 8 },
  '@offthread/adapters/assistant-ui': { undocumented: 16 },
  '@offthread/chrome': { undocumented: 18 },
}

const root = fileURLToPath(new URL('..', import.meta.url))
const isUpdate = process.argv.includes('--update')

/**
 * @typedef {{ name: string, config: ExtractorConfig }} Entry
 * @typedef {{ name: string, publishConfig: { exports: { [path: string]: { types?: string } } } }} Manifest
 */

// `npm test` has built the packages already, to pack them.
const code =
  process.env['PACKED'] === undefined ? await run('npm', ['run', '--silent', 'build']) : 0
if (code !== 0) process.exit(code)

const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))
const packages = folders.map((folder) => ({ folder, entries: entriesOf(folder) }))
const [first, ...others] = packages.flatMap(({ entries }) => entries.map(({ config }) => config))
if (!first) throw new Error('There are no entries.')
const additionalEntryPoints = others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath)
// They share most of their declarations: those of the core, of React and of the browser are read once.
const compilerState = CompilerState.create(first, { additionalEntryPoints })
const outcomes = packages.flatMap(({ folder, entries }) => [
  ...entries.map((entry) => check(entry, compilerState)),
  staleReports(join(folder, 'etc'), entries),
])
const problems = outcomes.flat()
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

/**
 * @param {string} folder of a package that is built
 * @returns {Entry[]}
 */
function entriesOf(folder) {
  const packageJson = join(folder, 'package.json')
  const manifest = readFileSync(packageJson, 'utf8')
  const { name, publishConfig } = /** @type {Manifest} */ (JSON.parse(manifest))
  mkdirSync(join(folder, 'etc'), { recursive: true })
  return Object.entries(publishConfig.exports).flatMap(([path, { types }]) => {
    if (types === undefined) return []
    const report = `${path === '.' ? 'index' : path.slice(2)}.api.md`
    const config = configOf(folder, join(folder, types), report)
    return [{ name: name + path.slice(1), config }]
  })
}

/**
 * @param {string} folder
 * @param {string} declarations
 * @param {string} report
 */
function configOf(folder, declarations, report) {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
    skipLibCheck: true,
  }
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: declarations,
      compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
      apiReport: {
        enabled: true,
        reportFileName: report,
        reportFolder: join(folder, 'etc'),
        reportTempFolder: join(root, '.reports/api'),
        // Reachable types belong to the API, whether they are exported by name or not.
        includeForgottenExports: true,
      },
      newlineKind: 'lf',
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
  })
}

/**
 * @param {string} folder
 * @param {readonly Entry[]} entries
 * @returns {string[]} what is wrong
 */
function staleReports(folder, entries) {
  const current = new Set(entries.map(({ config }) => config.reportFilePath))
  const stale = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => !current.has(path))
  if (isUpdate) for (const path of stale) rmSync(path)
  return isUpdate
    ? []
    : stale.map((path) => `${path} is the report of no entry: npm run api -- --update`)
}

/**
 * @param {Entry} entry
 * @param {CompilerState} compilerState
 * @returns {string[]} what is wrong
 */
function check({ name, config }, compilerState) {
  const before = existsSync(config.reportFilePath)
    ? readFileSync(config.reportFilePath, 'utf8')
    : ''
  /** @type {string[]} */
  const errors = []
  Extractor.invoke(config, {
    compilerState,
    localBuild: isUpdate,
    messageCallback: (message) => {
      if (message.category === ExtractorMessageCategory.Compiler) errors.push(message.text)
      message.handled = true
    },
  })
  const report = readFileSync(config.reportTempFilePath, 'utf8')
  const { names, undocumentedNames, undocumentedMembers } = readApiReport(report)
  const { names: most = Number.POSITIVE_INFINITY, undocumented = 0 } = limits[name] ?? {}
  console.log(`${name}: ${names.length} names, ${undocumentedMembers.length} members undocumented`)
  const found = [...errors, ...undocumentedNames.map((each) => `${each} has no docstring.`)]
  if (report !== before && !isUpdate)
    found.push(`The public API is not what its report says.\n${changes(before, report)}`)
  if (names.length > most) found.push(`At most ${most} names may be exported.`)
  if (undocumentedMembers.length > undocumented)
    found.push(
      `At most ${undocumented} members may lack a docstring (see ${config.reportFilePath}).`,
    )
  return found.map((each) => `${name}: ${each}`)
}

/**
 * @param {string} before
 * @param {string} after
 */
function changes(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const gone = old.filter((line) => !now.includes(line)).map((line) => `  - ${line}`)
  const added = now.filter((line) => !old.includes(line)).map((line) => `  + ${line}`)
  return [...gone, ...added]
    .slice(0, 20)
    .concat('If that is meant: npm run api -- --update')
    .join('\n')
}

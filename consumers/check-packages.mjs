import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { reportChecks } from '../scripts/reports.mjs'
import { shippedComments } from '../scripts/shipped-comments.mjs'
import { sideBySide } from '../scripts/side-by-side.mjs'
import { bundleProblems, entriesOf } from './bundle-problems.mjs'
import { writeDocumentCode } from './document-code.mjs'
import { installWithPnpm } from './install-with-pnpm.mjs'
import { packedPackages } from './pack.mjs'
import { runQuietly } from './run-quietly.mjs'
import { typescriptVersions, versions } from './versions.mjs'

/**
 * `npm run packages`: what a registry would get, as publint, attw, a bundler and three TypeScripts read it.
 *
 * @typedef {{ name: string, run: () => Promise<string[]> }} Check the problems; none is how it should be
 * @typedef {import('./pack.mjs').Tarballs} Tarballs
 */

const resolutions = /** @type {const} */ (['bundler', 'nodenext'])
const typesNeed = /** @type {const} */ ([
  ...['@anthropic-ai/sdk', '@modelcontextprotocol/sdk', '@types/node', '@types/react'],
  ...['react', 'zod'],
])
const forPages = {
  file: 'consumer.ts',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
}
const [newest = ''] = typescriptVersions
const checkers = new Set([newest, typescriptVersions.at(-1)])
const forNode = { file: 'entries.ts', lib: ['es2023'], types: ['node'] }
/** Its declarations take those of the MCP SDK, which name types of the DOM; the pages check it. */
const withoutNode = '@offthread/core/mcp'
const root = fileURLToPath(new URL('..', import.meta.url))
const workshop = mkdtempSync(join(tmpdir(), 'offthread-packages-'))

try {
  const tarballs = await packedPackages(join(workshop, 'tarballs'))
  const app = join(workshop, 'app')
  await installTypesApp(app, tarballs)
  const outcomes = await sideBySide(
    checks(tarballs, app),
    availableParallelism(),
    async ({ name, run }) => {
      const problems = await run().catch((/** @type {Error} */ { message }) => [message])
      console.log(`${problems.length === 0 ? 'passed' : 'FAILED'}  ${name}`)
      for (const problem of problems) console.log(`        ${problem}`)
      if (problems.length > 0) process.exitCode = 1
      return { problems }
    },
  )
  reportChecks('packages.json', outcomes)
} finally {
  rmSync(workshop, { recursive: true, force: true })
}

/**
 * @param {Tarballs} tarballs
 * @param {string} app
 * @returns {Check[]}
 */
function checks(tarballs, app) {
  return [
    ...Object.entries(tarballs).flatMap(([name, tarball]) => [
      { name: `publint: ${name}`, run: () => askPublint(tarball) },
      { name: `attw: ${name}`, run: () => askTypesWrong(tarball) },
    ]),
    {
      name: 'bundles: no Node built-ins, nothing undeclared, tree-shaken',
      run: () => bundleProblems(app, Object.keys(tarballs)),
    },
    {
      name: 'JavaScript without comments',
      run: async () => Object.keys(tarballs).flatMap((name) => commentsIn(app, name)),
    },
    { name: 'the code of the guides', run: () => runCompiler(app, newest, 'tsconfig.guides.json') },
    ...typescriptVersions.flatMap((version) => [
      ...resolutions.map((resolution) => ({
        name: `TypeScript ${version}, ${resolution}`,
        run: () => compile(app, version, { ...forPages, ...moduleOptions(resolution) }),
      })),
      {
        name: `TypeScript ${version}, every entry, for Node without the DOM`,
        run: () => compile(app, version, { ...forNode, ...moduleOptions('nodenext') }),
      },
    ]),
  ]
}

/**
 * A plugin of a bundler may take an example in a comment for code: `new Worker(new URL(…))`.
 *
 * @param {string} app
 * @param {string} name
 */
function commentsIn(app, name) {
  const dist = join(app, 'node_modules', name, 'dist')
  return readdirSync(dist, { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.js'))
    .filter((file) => shippedComments(file, readFileSync(join(dist, file), 'utf8')).length > 0)
    .map((file) => `${name}/dist/${file} has comments.`)
}

/** @param {string} tarball */
async function askPublint(tarball) {
  const bytes = readFileSync(tarball)
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) },
    strict: true,
  })
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code)
}

/** @param {string} tarball */
async function askTypesWrong(tarball) {
  const bin = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  await runQuietly(process.execPath, [bin, tarball, '--profile', 'esm-only'], { cwd: root })
  return []
}

/**
 * An app that has the packages and every TypeScript.
 *
 * @param {string} app
 * @param {Tarballs} tarballs
 */
async function installTypesApp(app, tarballs) {
  mkdirSync(app)
  cpSync(join(root, 'consumers/apps/types'), app, { recursive: true })
  writeDocumentCode(join(root, 'docs'), join(app, 'guides'))
  /** @type {Record<string, string>} */
  const dependencies = {}
  for (const name of typesNeed) dependencies[name] = versions[name]
  for (const [name, path] of Object.entries(tarballs)) dependencies[name] = `file:${path}`
  for (const version of typescriptVersions) {
    dependencies[aliasOf(version)] = `npm:typescript@${version}`
  }
  await installWithPnpm(app, { name: 'types-app', dependencies })
  const entries = Object.keys(tarballs).flatMap((name) => entriesOf(app, name))
  const forBoth = entries.filter((entry) => entry !== withoutNode)
  const imports = forBoth.map((entry, index) => `export * as entry${index} from '${entry}'`)
  writeFileSync(join(app, forNode.file), imports.join('\n'))
}

/** @param {'bundler' | 'nodenext'} resolution */
function moduleOptions(resolution) {
  return {
    module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
    moduleResolution: resolution,
  }
}

/**
 * @param {string} app
 * @param {string} version
 * @param {{ file: string, lib: string[], types: string[], module: string, moduleResolution: string }} options
 */
async function compile(app, version, { file, ...options }) {
  const compilerOptions = {
    ...options,
    target: 'es2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    // All read the same declarations: the newest and the oldest TypeScript check them, with one of the resolutions.
    skipLibCheck: options.moduleResolution === 'bundler' || !checkers.has(version),
    // Those that come with TypeScript.
    skipDefaultLibCheck: true,
    // What an app exports of an agent can be named, or written out, in its declarations.
    declaration: true,
    noEmit: true,
  }
  const project = `tsconfig.${version}-${options.moduleResolution}-${file}.json`
  writeFileSync(join(app, project), JSON.stringify({ compilerOptions, files: [file] }))
  return runCompiler(app, version, project)
}

/**
 * @param {string} app
 * @param {string} version
 * @param {string} project
 */
async function runCompiler(app, version, project) {
  const tsc = `node_modules/${aliasOf(version)}/bin/tsc`
  // Others run beside it, and its threads would each check what they share.
  const threads = version.startsWith('7.') ? ['--singleThreaded'] : []
  await runQuietly(process.execPath, [tsc, '-p', project, ...threads], { cwd: app })
  return []
}

/** @param {string} version */
function aliasOf(version) {
  return `typescript-${version.split('.')[0]}`
}

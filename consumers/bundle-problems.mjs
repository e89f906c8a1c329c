import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * What a bundler finds in the installed packages that should not be there.
 *
 * @param {string} app a folder in which they are installed
 * @param {readonly string[]} names of the packages
 * @returns {Promise<string[]>}
 */
export async function bundleProblems(app, names) {
  const problems = []
  for (const name of names) {
    problems.push(...(await importProblems(app, name)))
  }
  return [...problems, ...(await treeProblems(app))]
}

/**
 * Every import of an entry, at any depth, is declared and exists in a browser.
 *
 * @param {string} app
 * @param {string} name
 */
async function importProblems(app, name) {
  const { dependencies, peerDependencies } = readManifest(app, name)
  const declared = Object.keys({ ...dependencies, ...peerDependencies })
  const found = await Promise.all(
    entriesOf(app, name).map(async (from) => {
      const { imported } = await bundle(
        app,
        `export * from '${from}'`,
        (id) => packageOf(id) !== name,
      )
      return imported.flatMap((id) => {
        if (isBuiltin(id)) return [`${from} imports ${id}, which no browser has.`]
        return declared.includes(packageOf(id))
          ? []
          : [`${from} imports ${id}, which is not declared.`]
      })
    }),
  )
  return found.flat()
}

/**
 * What code imports of a package, for instance `@offthread/core/worker`.
 *
 * @param {string} app
 * @param {string} name
 */
export function entriesOf(app, name) {
  const entries = Object.keys(readManifest(app, name).exports)
  return entries.filter((entry) => entry !== './package.json').map((entry) => name + entry.slice(1))
}

/** A definition may cost the code of `defineTool`, and nothing of what runs it. */
const maxDefinitionBytes = 10_000

/** @param {string} app */
async function treeProblems(app) {
  const { modules, bytes } = await bundle(
    app,
    "import { defineTool } from '@offthread/core'\nconsole.log(defineTool)",
    () => false,
  )
  const strange = modules.filter((id) => /\/dist\/(?!tools\/|internal\/)/.test(id))
  return [
    ...strange.map((id) => `defineTool alone takes ${id.split('/dist/')[1]} with it.`),
    ...(bytes > maxDefinitionBytes ? [`defineTool alone is ${bytes} bytes.`] : []),
    ...(modules.length === 0 ? ['defineTool was not found in the bundle.'] : []),
  ]
}

/**
 * @param {string} app
 * @param {string} code
 * @param {(id: string) => boolean} isExternal asked for what is imported by name
 */
async function bundle(app, code, isExternal) {
  const entry = join(app, 'virtual-entry.js')
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    external: (id) => /^[^./\\]/.test(id) && !/^[a-z]:/i.test(id) && isExternal(id),
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const files = new Set(chunks.map(({ fileName }) => fileName))
  return {
    imported: chunks
      .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
      .filter((id) => !files.has(id)),
    modules: chunks
      .flatMap(({ modules }) => Object.entries(modules))
      .flatMap(([id, { renderedLength }]) =>
        id.includes('/dist/') && renderedLength > 0 ? [id] : [],
      ),
    bytes: chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk.code), 0),
  }
}

/**
 * @param {string} app
 * @param {string} name
 */
function readManifest(app, name) {
  const text = readFileSync(join(app, 'node_modules', name, 'package.json'), 'utf8')
  return /** @type {{ exports: object, dependencies?: object, peerDependencies?: object }} */ (
    JSON.parse(text)
  )
}

/** @param {string} id */
function packageOf(id) {
  return id.split('/', id.startsWith('@') ? 2 : 1).join('/')
}

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly } from './run-quietly.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each is a folder of `packages/`, and `@offthread/` with its name on a registry. */
const names = /** @type {const} */ ([
  'core',
  'react',
  'adapters',
  'chrome',
  'fleet',
  'isolated',
  'nats',
])

/** @typedef {Record<`@offthread/${typeof names[number]}`, string>} Tarballs */

/**
 * The packages as a registry would get them. `npm test` has packed them and names the folder; otherwise they are
 * packed now.
 *
 * @param {string} folder where they go if they are packed now
 * @returns {Promise<Tarballs>} their paths
 */
export async function packedPackages(folder) {
  const packed = process.env['PACKED']
  if (packed === undefined) await packInto(folder)
  return tarballsIn(packed ?? folder)
}

/**
 * Builds the packages and packs them as they would be published: `pnpm pack` puts `publishConfig` in place.
 *
 * @param {string} folder emptied before
 */
export async function packInto(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // The compiler collects garbage rarely, as it ends soon.
  await runQuietly('npm', ['run', '--silent', 'build'], { cwd: root, env: { GOGC: '400' } })
  const manifest = readFileSync(join(root, 'package.json'), 'utf8')
  const { packageManager } = /** @type {{ packageManager: string }} */ (JSON.parse(manifest))
  const args = ['--recursive', '--filter', './packages/*', 'pack', '--pack-destination', folder]
  await runQuietly('npx', ['--yes', packageManager, ...args], { cwd: root })
}

/**
 * @param {string} folder
 * @returns {Tarballs}
 */
export function tarballsIn(folder) {
  const files = readdirSync(folder)
  const find = (/** @type {string} */ name) => {
    const tarball = files.find((file) => file.startsWith(`offthread-${name}-`))
    if (!tarball) throw new Error(`pnpm pack left no tarball of ${name} in ${folder}.`)
    return join(folder, tarball)
  }
  return /** @type {Tarballs} */ (
    Object.fromEntries(names.map((name) => [`@offthread/${name}`, find(name)]))
  )
}

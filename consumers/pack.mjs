import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly } from './run-quietly.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds both packages and packs them as they would be published: `pnpm pack` puts `publishConfig` in place.
 *
 * @param {string} folder where the tarballs go
 * @returns {Promise<Record<'@offthread/core' | '@offthread/react', string>>} their paths
 */
export async function packPackages(folder) {
  mkdirSync(folder, { recursive: true })
  await runQuietly('npm', ['run', '--silent', 'build'], { cwd: root })
  const core = await packOne('core', folder)
  return { '@offthread/core': core, '@offthread/react': await packOne('react', folder) }
}

/**
 * @param {string} name
 * @param {string} folder
 */
async function packOne(name, folder) {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8')
  const { packageManager } = /** @type {{ packageManager: string }} */ (JSON.parse(manifest))
  const args = ['--yes', packageManager, 'pack', '--pack-destination', folder]
  await runQuietly('npx', args, { cwd: join(root, 'packages', name) })
  const tarball = readdirSync(folder).find((file) => file.startsWith(`offthread-${name}-`))
  if (!tarball) throw new Error(`pnpm pack left no tarball of ${name} in ${folder}.`)
  return join(folder, tarball)
}

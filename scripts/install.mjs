import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './child.mjs'

/**
 * Installs exactly what the lockfile says, with the pnpm that package.json names. It runs pnpm by npx, because each
 * Node comes with npm, but not each with corepack.
 *
 * @param {string} [root]
 */
export async function install(root = fileURLToPath(new URL('..', import.meta.url))) {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8')
  const { packageManager } = /** @type {{ packageManager: string }} */ (JSON.parse(manifest))
  const flags = ['--frozen-lockfile', '--prefer-offline']
  const code = await run('npx', ['--yes', packageManager, 'install', ...flags], { cwd: root })
  if (code === 0) return true
  console.error(`\nInstalling the dependencies failed (${packageManager}, exit code ${code}).`)
  console.error('The installer says why in its last lines above. What it mostly is:')
  console.error('  - The npm registry cannot be reached; the first run needs it.')
  console.error('  - Another installer works in this folder, or a program has its files open.')
  console.error('  - The disk is full, or this folder may not be written to.')
  return false
}

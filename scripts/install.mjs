import { readFileSync } from 'node:fs'
import { run } from './child.mjs'

/**
 * Installs exactly what the lockfile says, with the pnpm that package.json names. Through npx,
 * because npm is the one package manager every Node brings; corepack is not.
 */
export async function install() {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { packageManager } = /** @type {{ packageManager: string }} */ (JSON.parse(manifest))
  const flags = ['--frozen-lockfile', '--prefer-offline']
  const code = await run('npx', ['--yes', packageManager, 'install', ...flags])
  if (code === 0) return true
  console.error(`\nInstalling the dependencies failed (${packageManager}, exit code ${code}).`)
  console.error('The first run needs the npm registry; is this machine online?')
  return false
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './run-quietly.mjs'

const root = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
const { packageManager } = /** @type {{ packageManager: string }} */ (JSON.parse(root))

/**
 * Installs an app outside of the workspace: nothing is linked. Its packages lie flat, as npm would put them, in a
 * quarter of the time; new-app.test.mjs tries npm itself.
 *
 * @param {string} folder of the app
 * @param {{ name: string, dependencies: Record<string, string> }} manifest
 */
export async function installWithPnpm(folder, manifest) {
  const text = JSON.stringify({ ...manifest, private: true, type: 'module' }, null, 2)
  writeFileSync(join(folder, 'package.json'), text)
  const flags = ['--config.node-linker=hoisted', '--prefer-offline', '--ignore-scripts']
  await runQuietly('npx', ['--yes', packageManager, 'install', ...flags], { cwd: folder })
}

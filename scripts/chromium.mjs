import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { run } from './child.mjs'
import { chromiumArgs, systemChromiums } from './chromium-options.mjs'

/**
 * The path of a Chromium that runs, which is installed if necessary. If there is none, prints why and returns
 * undefined.
 */
export async function requireChromium() {
  const found = (await findChromium()) ?? (await installChromium())
  if (found) return found
  console.error('\nThe tests need a Chromium that starts, and none could be found or installed.')
  console.error('Install one of these ways, then run the tests again:')
  console.error('  Debian, Ubuntu:  npx playwright install --with-deps chromium   (asks for sudo)')
  console.error('  any system:      CHROMIUM_PATH=/path/to/chromium npm test')
  return undefined
}

async function findChromium() {
  const { chromium } = await import('playwright')
  const candidates = [process.env['CHROMIUM_PATH'], chromium.executablePath(), ...systemChromiums()]
  return candidates.find((path) => path !== undefined && existsSync(path) && starts(path))
}

/**
 * A file is not a browser: it may be a stub that asks for a snap, or lack a library.
 *
 * @param {string} path
 */
function starts(path) {
  const page = 'data:text/html,<p>it runs</p>'
  const { stdout } = spawnSync(path, ['--headless', ...chromiumArgs, '--dump-dom', page], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  const works = stdout?.includes('it runs') ?? false
  if (!works) console.error(`${path} does not start; looking further.`)
  return works
}

async function installChromium() {
  const isRoot = process.getuid?.() === 0
  if (isRoot && isDebian()) {
    console.log('No Chromium found; installing the one of Debian.')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['-qq', 'update'], { env })
    await run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', 'chromium'], { env })
    const found = await findChromium()
    if (found) return found
  }
  console.log('No Chromium found; installing the one of Playwright.')
  // Installing its system libraries needs root. They may be there already, so it is tried without.
  await run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
  return findChromium()
}

/** Ubuntu calls itself like Debian, but its chromium package is a stub for a snap. */
function isDebian() {
  const release = '/etc/os-release'
  return existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'))
}

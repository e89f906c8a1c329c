import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { run } from './child.mjs'
import { chromiumArgs, headlessShell, systemChromiums } from './chromium-options.mjs'

/** @typedef {{ CHROMIUM_PATH: string, WHOLE_CHROMIUM_PATH: string }} Chromiums */

/**
 * The paths of Chromiums that run, for the environment of the gates: `CHROMIUM_PATH` for nearly every test, and
 * `WHOLE_CHROMIUM_PATH` for the few that need what a headless shell lacks. What is missing is installed. If there is
 * none, prints why and returns undefined.
 *
 * @returns {Promise<Chromiums | undefined>}
 */
export async function requireChromium() {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen !== undefined && works(chosen)) {
    return { CHROMIUM_PATH: chosen, WHOLE_CHROMIUM_PATH: chosen }
  }
  if (isRoot && isDebian() && !(existsSync(headlessShell) && (await findWhole())))
    await installOfDebian()
  const whole = (await findWhole()) ?? (await installOfPlaywright())
  if (whole) {
    const fast = works(headlessShell) ? headlessShell : whole
    return { CHROMIUM_PATH: fast, WHOLE_CHROMIUM_PATH: whole }
  }
  console.error('\nThe tests need a Chromium that starts, and none could be found or installed.')
  console.error('Install one of these ways, then run the tests again:')
  console.error('  Debian, Ubuntu:  npx playwright install --with-deps chromium   (asks for sudo)')
  console.error('  any system:      CHROMIUM_PATH=/path/to/chromium npm test')
  return undefined
}

const isRoot = process.getuid?.() === 0

async function findWhole() {
  const { chromium } = await import('playwright')
  return [chromium.executablePath(), ...systemChromiums()].find(works)
}

/**
 * A file is not a browser: it may be a stub that asks for a snap, or lack a library.
 *
 * @param {string} path
 */
function works(path) {
  if (!existsSync(path)) return false
  const page = 'data:text/html,<p>it runs</p>'
  const { stdout } = spawnSync(path, ['--headless', ...chromiumArgs, '--dump-dom', page], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  const starts = stdout?.includes('it runs') ?? false
  if (!starts) console.error(`${path} does not start; looking further.`)
  return starts
}

async function installOfDebian() {
  console.log('Installing the Chromium of Debian and its headless shell.')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const impatient = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1']
  await run('apt-get', ['-qq', ...impatient, 'update'], { env })
  const packages = ['chromium', 'chromium-headless-shell']
  await run(
    'apt-get',
    ['-qq', ...impatient, 'install', '-y', '--no-install-recommends', ...packages],
    { env },
  )
}

async function installOfPlaywright() {
  console.log('No Chromium found; installing the one of Playwright.')
  // Installing its system libraries needs root. They may be there already, so it is tried without.
  await run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
  return findWhole()
}

/** Ubuntu calls itself like Debian, but its chromium package is a stub for a snap. */
function isDebian() {
  const release = '/etc/os-release'
  return existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'))
}

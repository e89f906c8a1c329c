import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { run } from './child.mjs'
import { chromiumArgs, headlessShell, systemChromiums } from './chromium-options.mjs'
import { canInstallFromDebian, installFromDebian } from './debian.mjs'

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
  if (canInstallFromDebian() && !(existsSync(headlessShell) && (await findWhole()))) {
    console.log('Installing the Chromium of Debian and its headless shell.')
    await installFromDebian('chromium', 'chromium-headless-shell')
  }
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

async function installOfPlaywright() {
  console.log('No Chromium found; installing the one of Playwright.')
  // Installing its system libraries needs root. They may be there already, so it is tried without.
  const isRoot = process.getuid?.() === 0
  await run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
  return findWhole()
}

import { existsSync } from 'node:fs'

/** How Chromium is started everywhere: as root in a container, without network traffic of its own. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Where Debian installs Chromium without what draws windows: the same engine, in which a page opens twice as fast. */
export const headlessShell = '/usr/bin/chromium-headless-shell'

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** Paths where systems install browsers. A file there may be a stub that does not work. */
export function systemChromiums() {
  return systemPaths.filter((path) => existsSync(path))
}

/**
 * Launch options for Vitest and Playwright. `npm test` sets CHROMIUM_PATH to a browser it has
 * proven; a single step run by hand takes the system's, else the one Playwright installed.
 */
export function chromiumLaunchOptions() {
  const shell = existsSync(headlessShell) ? headlessShell : undefined
  return launchOptions(process.env['CHROMIUM_PATH'] ?? shell ?? systemChromiums()[0])
}

/** The same for tests of what a headless shell lacks: settings of a profile, and the deletion of a site's data. */
export function wholeChromiumOptions() {
  return launchOptions(process.env['WHOLE_CHROMIUM_PATH'] ?? systemChromiums()[0])
}

/** @param {string | undefined} executablePath */
function launchOptions(executablePath) {
  return { args: chromiumArgs, ...(executablePath ? { executablePath } : {}) }
}

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
  const executablePath = process.env['CHROMIUM_PATH'] ?? systemChromiums()[0]
  return { args: chromiumArgs, ...(executablePath ? { executablePath } : {}) }
}

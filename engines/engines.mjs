import { existsSync } from 'node:fs'
import { systemChromiums } from '../scripts/chromium-options.mjs'
import { driveChromium } from './drive-chromium.mjs'
import { driveFirefox } from './drive-firefox.mjs'
import { driveWebKit } from './drive-webkit.mjs'

const chromium = process.env['CHROMIUM_PATH'] ?? systemChromiums()[0] ?? ''
const firefox = ['/usr/bin/firefox', '/usr/bin/firefox-esr'].find((it) => existsSync(it)) ?? ''

/** @type {readonly import('./driver.ts').Engine[]} */
export const engines = [
  {
    name: 'Chromium',
    packages: 'chromium',
    isThere: existsSync(chromium),
    drive: () => driveChromium(chromium),
  },
  {
    name: 'Firefox',
    packages: 'firefox-esr',
    isThere: existsSync(firefox),
    drive: (folder) => driveFirefox(firefox, folder),
  },
  {
    name: 'WebKit',
    packages: 'webkit2gtk-driver xvfb',
    isThere: ['WebKitWebDriver', 'xvfb-run'].every((it) => existsSync(`/usr/bin/${it}`)),
    drive: driveWebKit,
  },
]

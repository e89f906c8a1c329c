import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromiumArgs, systemChromiums } from '../scripts/chromium-options.mjs'

/**
 * @typedef {object} Browser
 * @property {string} name
 * @property {string} install how to get it on Debian
 * @property {() => string | undefined} find the path of its program
 * @property {(path: string) => string} version
 * @property {(start: { path: string, profile: string, url: string }) => string[]} command
 */

/** @type {readonly Browser[]} */
export const browsers = [
  {
    name: 'Chromium',
    install: 'apt-get install chromium',
    find: () => process.env['CHROMIUM_PATH'] ?? systemChromiums()[0],
    version: (path) => printedVersion(path),
    command: ({ path, profile, url }) => [
      path,
      '--headless=new',
      ...chromiumArgs,
      `--user-data-dir=${profile}`,
      url,
    ],
  },
  {
    name: 'Firefox',
    install: 'apt-get install firefox-esr',
    find: () => firstOf(['/usr/bin/firefox', '/usr/bin/firefox-esr']),
    version: (path) => printedVersion(path),
    command: ({ path, profile, url }) => [
      path,
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      url,
    ],
  },
  {
    name: 'WebKit',
    install: 'apt-get install webkit2gtk-driver xvfb',
    find: () =>
      firstOf(
        ['x86_64', 'aarch64'].flatMap((arch) =>
          ['6.0', '4.1', '4.0'].map((api) =>
            `/usr/lib/${arch}-linux-gnu/webkit2gtk-${api}/MiniBrowser`.replace('2gtk-6', 'gtk-6'),
          ),
        ),
      ),
    version: (path) => printedVersion('xvfb-run', ['-a', path]),
    // It has no headless mode.
    command: ({ path, url }) => ['xvfb-run', '-a', path, '--private', url],
  },
]

/** @param {readonly string[]} paths */
function firstOf(paths) {
  return paths.find((path) => existsSync(path))
}

/**
 * @param {string} program
 * @param {readonly string[]} [args]
 */
function printedVersion(program, args = []) {
  const { stdout } = spawnSync(program, [...args, '--version'], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  return stdout.trim()
}

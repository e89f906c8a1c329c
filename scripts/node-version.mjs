import { readFileSync } from 'node:fs'

/** Stops with a plain sentence, before an old Node fails with a stranger one. */
export function requireNode() {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { engines } = /** @type {{ engines: { node: string } }} */ (JSON.parse(manifest))
  const wanted = engines.node.replace('>=', '')
  if (isAtLeast(process.versions.node, wanted)) return
  console.error(`Offthread needs Node ${wanted} or newer; this is ${process.versions.node}.`)
  console.error('Get a newer one from https://nodejs.org and run the command again.')
  process.exit(1)
}

/**
 * @param {string} version
 * @param {string} wanted
 */
function isAtLeast(version, wanted) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

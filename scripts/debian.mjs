import { existsSync, readFileSync } from 'node:fs'
import { run } from './child.mjs'

/** Whether packages of Debian can be installed here. Ubuntu calls itself like Debian, but some of its packages are stubs for a snap. */
export function canInstallFromDebian() {
  const release = '/etc/os-release'
  const isDebian = existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'))
  return isDebian && process.getuid?.() === 0
}

/** @param {...string} packages */
export async function installFromDebian(...packages) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const impatient = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1']
  await run('apt-get', ['-qq', ...impatient, 'update'], { env })
  const install = ['install', '-y', '--no-install-recommends']
  await run('apt-get', ['-qq', ...impatient, ...install, ...packages], { env })
}

import { spawnSync } from 'node:child_process'
import { canInstallFromDebian, installFromDebian } from './debian.mjs'

/**
 * The path of a nats-server that runs, for the environment of the tests. `NATS_SERVER` names one; a missing one is
 * installed. If there is none, prints in one line that the tests that need it do not run, and returns undefined.
 *
 * @returns {Promise<string | undefined>}
 */
export async function requireNatsServer() {
  const found = findNatsServer()
  if (found !== undefined) return found
  if (canInstallFromDebian()) {
    console.log('Installing the nats-server of Debian.')
    await installFromDebian('nats-server')
  }
  const installed = findNatsServer()
  if (installed === undefined) {
    console.log(
      'The tests with a nats-server did not run: none was found or could be installed. NATS_SERVER=/path/to/nats-server names one.',
    )
  }
  return installed
}

/** @returns {string | undefined} */
export function findNatsServer() {
  // Debian installs it where only root looks.
  const paths = [process.env['NATS_SERVER'] ?? [], 'nats-server', '/usr/sbin/nats-server'].flat()
  return paths.find((path) => spawnSync(path, ['--version']).status === 0)
}

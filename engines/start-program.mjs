import { spawn } from 'node:child_process'

const patienceMs = 60_000

/**
 * Starts a program that runs until `stop` is called, and waits for what it prints or answers first.
 *
 * @param {readonly string[]} command
 * @param {{ home: string, says: RegExp, env?: NodeJS.ProcessEnv }} options `says` has one group
 * @returns {Promise<{ said: string, stop: () => void }>} `said`: the group
 */
export function startProgram([program = '', ...args], { home, says, env = {} }) {
  return new Promise((resolve, reject) => {
    // A group of its own, because browsers start others.
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...env, HOME: home, TMPDIR: home },
    })
    const stop = () => {
      const hasEnded = child.exitCode !== null || child.signalCode !== null
      if (child.pid !== undefined && !hasEnded) process.kill(-child.pid, 'SIGKILL')
    }
    let printed = ''
    const read = (/** @type {unknown} */ chunk) => {
      printed += chunk
      const said = says.exec(printed)?.[1]
      if (said === undefined) return
      clearTimeout(late)
      resolve({ said, stop })
    }
    const fail = (/** @type {string} */ what) => {
      clearTimeout(late)
      stop()
      reject(new Error(`${program} ${what}: ${printed.slice(-1000)}`))
    }
    const late = setTimeout(() => fail(`was not ready within ${patienceMs / 1000} s`), patienceMs)
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', ({ message }) => fail(message))
    child.on('exit', (code) => fail(`ended with ${code}`))
  })
}

import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const posix = process.platform !== 'win32'
const graceMs = 8000

/**
 * Runs a program to its end and resolves with its exit code. When we are told to stop, everything
 * the program started is stopped before we go.
 *
 * The program leads a process group of its own: signalling one process would leave behind what
 * npm, npx and shells put between us and the tool.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>}
 */
export function run(program, args, { cwd = root, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: posix,
      // npm and npx are .cmd files on Windows, which only a shell can start.
      shell: !posix && /^np[mx]$/.test(program),
    })
    const letGo = stopWith(child)
    child.on('error', (error) => {
      letGo()
      console.error(`Cannot start ${program}: ${error.message}`)
      resolve(127)
    })
    child.on('exit', (code, signal) => {
      letGo()
      resolve(code ?? (signal ? 128 : 1))
    })
  })
}

/** @type {NodeJS.Signals[]} */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Stops the child and then ourselves when we are told to.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} ends the watch
 */
function stopWith(child) {
  let stopping = false
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    // Ctrl-C arrives twice under npm: from the terminal and from npm.
    if (stopping) return
    stopping = true
    // Whatever we were sent: on SIGTERM Playwright would leave its web server running.
    signalGroup(child, 'SIGINT')
    setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
    child.once('exit', () => {
      // The leader is gone; whoever outlived it in the group goes now.
      signalGroup(child, 'SIGKILL')
      process.exit(signal === 'SIGINT' ? 130 : 143)
    })
  }
  for (const signal of stopSignals) process.on(signal, stop)
  const watch = setInterval(() => isOrphaned() && stop('SIGTERM'), 500)
  return () => {
    clearInterval(watch)
    for (const signal of stopSignals) process.off(signal, stop)
  }
}

const parent = process.ppid

/**
 * A SIGTERM to `npm run …` ends npm and the shell below it, and may never reach us. Started
 * without npm, a parent may well leave on purpose.
 */
function isOrphaned() {
  return process.env['npm_lifecycle_event'] !== undefined && process.ppid !== parent
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup({ pid }, signal) {
  if (pid === undefined) return
  if (!posix) {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'])
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is gone already, which is what we want.
  }
}

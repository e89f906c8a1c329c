import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const posix = process.platform !== 'win32'
const graceMs = 8000

/**
 * Runs a program to its end and resolves with its exit code. When this process is asked to stop, it first stops
 * everything that any program started.
 *
 * The program leads a process group of its own: signalling one process would leave behind what npm, npx and shells
 * put between this process and the tool.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {(text: string) => void} [options.onText] gets what it prints, which then is not shown
 * @returns {Promise<number>}
 */
export function run(program, args, { cwd = root, env = {}, onText } = {}) {
  const output = onText ? 'pipe' : 'inherit'
  return new Promise((resolve) => {
    // The program may print, and a signal may arrive, before spawn() has returned.
    if (running.size === 0) beStoppable()
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
      detached: posix,
      // npm and npx are .cmd files on Windows, which only a shell can start.
      shell: !posix && /^np[mx]$/.test(program),
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => onText?.(text))
    }
    running.add(child)
    child.on('error', (error) => {
      console.error(`Cannot start ${program}: ${error.message}`)
      ended(child)
      resolve(127)
    })
    child.on('exit', () => ended(child))
    // `close` comes after all output has arrived. After a signal the promise stays open, so that nothing else is
    // started.
    child.on('close', (code, signal) => {
      if (!stoppedBy) resolve(code ?? (signal ? 128 : 1))
    })
  })
}

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set()
/** @type {NodeJS.Signals[]} */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** @type {NodeJS.Signals | undefined} */
let stoppedBy
/** @type {NodeJS.Timeout | undefined} */
let orphanWatch

function beStoppable() {
  for (const signal of stopSignals) process.on(signal, stop)
  orphanWatch = setInterval(() => isOrphaned() && stop('SIGTERM'), 500)
}

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  // Ctrl-C arrives twice under npm: from the terminal and from npm.
  if (stoppedBy) return
  stoppedBy = signal
  for (const child of running) {
    // SIGINT, whatever signal has arrived: on SIGTERM Playwright would leave its web server running.
    signalGroup(child, 'SIGINT')
    setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
  }
}

/** @param {ChildProcess} child */
function ended(child) {
  running.delete(child)
  // The leader is gone; the rest of its group is ended now.
  signalGroup(child, 'SIGKILL')
  if (running.size > 0) return
  if (stoppedBy) process.exit(stoppedBy === 'SIGINT' ? 130 : 143)
  clearInterval(orphanWatch)
  for (const signal of stopSignals) process.off(signal, stop)
}

const parent = process.ppid

/**
 * A SIGTERM to `npm run …` may end only npm and its shell: this process has another parent then. Without npm, a parent
 * may exit on purpose.
 */
function isOrphaned() {
  return process.env['npm_lifecycle_event'] !== undefined && process.ppid !== parent
}

/**
 * @param {ChildProcess} child
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
    // The group is gone already.
  }
}

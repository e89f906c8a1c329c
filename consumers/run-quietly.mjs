import { spawn } from 'node:child_process'

/**
 * Runs a program to its end. Its output is only shown if it fails: as the message of the error.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>} what it printed
 */
export function runQuietly(program, args, { cwd, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = start(program, args, { cwd, env })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    child.stderr.on('data', (chunk) => (text += chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      const command = [program, ...args].join(' ')
      if (code === 0) resolve(text)
      else reject(new Error(`"${command}" failed with exit code ${code}:\n${tail(text)}`))
    })
  })
}

/**
 * Runs a server until `stop` is called, and waits until its output says that it serves.
 *
 * @param {readonly string[]} args what Node runs
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, says: RegExp }} options
 * @returns {Promise<{ stop: () => Promise<void> }>}
 */
export function serveWith(args, { cwd, env = {}, says }) {
  return new Promise((resolve, reject) => {
    const child = start(process.execPath, args, { cwd, env })
    let text = ''
    const ended = new Promise((done) => child.once('close', done))
    const stop = async () => {
      child.kill('SIGTERM')
      await ended
    }
    const listener = (/** @type {unknown} */ chunk) => {
      text += chunk
      if (says.test(text)) resolve({ stop })
    }
    child.stdout.on('data', listener)
    child.stderr.on('data', listener)
    child.on('error', reject)
    child.on('close', (code) => reject(new Error(`The server ended with ${code}:\n${tail(text)}`)))
    setTimeout(() => {
      child.kill('SIGTERM')
      reject(new Error(`The server did not start within 60 s:\n${tail(text)}`))
    }, 60_000).unref()
  })
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
function start(program, args, { cwd, env }) {
  return spawn(program, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && /^np[mx]$/.test(program),
  })
}

/** @param {string} text */
function tail(text) {
  return text.trim().split('\n').slice(-15).join('\n')
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { findNatsServer } from '../scripts/nats-server.mjs'

/**
 * A nats-server on loopback ports, with its store in a temporary folder.
 *
 * @typedef {object} NatsServer
 * @property {string} url of its TCP port: `nats://127.0.0.1:…`
 * @property {string} webSocketUrl `ws://127.0.0.1:…`
 * @property {() => Promise<void>} kill ends it with SIGKILL, and resolves when it is gone; its store stays
 * @property {() => Promise<void>} start starts it again, on the same ports with the same store
 * @property {() => Promise<void>} stop ends it and removes its store
 * @property {() => number} pid of the process, for signals
 * @property {(text: RegExp) => Promise<void>} printed resolves when it has printed that since it was started
 *
 * @typedef {object} NatsOptions
 * @property {boolean} [jetStream] default: yes
 * @property {boolean} [webSocket] default: yes
 * @property {string} [config] more lines of its configuration: users, limits
 */

/**
 * Starts one server, and resolves when it is ready.
 *
 * @param {NatsOptions} [options]
 * @returns {Promise<NatsServer>}
 */
export async function startNats(options = {}) {
  const server = createNats(await freePorts(2), options)
  await server.start()
  return server
}

/**
 * Starts a cluster of three, and resolves when it has a leader.
 *
 * @param {NatsOptions} [options]
 * @returns {Promise<readonly NatsServer[]>}
 */
export async function startNatsCluster({ config = '', ...options } = {}) {
  const size = 3
  const ports = await freePorts(3 * size)
  const routePorts = ports.splice(0, size)
  const routes = routePorts.map((port) => `nats://127.0.0.1:${port}`).join(', ')
  const servers = routePorts.map((port, index) =>
    createNats(ports.splice(0, 2), {
      ...options,
      config: `
server_name: node${index}
cluster { name: offthread, listen: "127.0.0.1:${port}", routes: [${routes}] }
${config}`,
    }),
  )
  await Promise.all(servers.map((server) => server.start()))
  await Promise.any(servers.map((server) => server.printed(/Self is new .*metadata leader/u)))
  return servers
}

/**
 * @param {readonly number[]} ports
 * @param {NatsOptions} options
 * @returns {NatsServer}
 */
function createNats([port = 0, webSocketPort = 0], options) {
  const { jetStream = true, webSocket = true, config = '' } = options
  const folder = mkdtempSync(join(tmpdir(), 'offthread-nats-'))
  const file = join(folder, 'nats.conf')
  const lines = [
    `listen: "127.0.0.1:${port}"`,
    jetStream ? `jetstream { store_dir: "${join(folder, 'store')}" }` : '',
    webSocket ? `websocket { listen: "127.0.0.1:${webSocketPort}", no_tls: true }` : '',
    config,
  ]
  writeFileSync(file, lines.join('\n'))
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  let output = createOutput()

  async function kill() {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }

  return {
    url: `nats://127.0.0.1:${port}`,
    webSocketUrl: `ws://127.0.0.1:${webSocketPort}`,
    kill,
    start: async () => {
      child = spawn(findNatsServer() ?? 'nats-server', ['--config', file], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      output = createOutput()
      output.read(child)
      await output.has(/Server is ready/u)
    },
    printed: (text) => output.has(text),
    stop: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
    pid: () => child?.pid ?? 0,
  }
}

/** What a server has printed. */
function createOutput() {
  let printed = ''
  /** @type {Set<{ text: RegExp, resolve: () => void, reject: (error: Error) => void }>} */
  const waiting = new Set()
  const fail = (/** @type {Error} */ error) => {
    for (const { reject } of waiting) reject(error)
  }
  return {
    /** @param {import('node:child_process').ChildProcess} child */
    read: (child) => {
      child.stderr?.on('data', (/** @type {unknown} */ chunk) => {
        printed += chunk
        for (const { text, resolve } of waiting) if (text.test(printed)) resolve()
      })
      child.on('error', fail)
      child.on('exit', (code) => fail(new Error(`nats-server ended with ${code}: ${printed}`)))
    },
    /**
     * @param {RegExp} text
     * @returns {Promise<void>}
     */
    has: (text) =>
      new Promise((resolve, reject) => {
        if (text.test(printed)) resolve()
        else waiting.add({ text, resolve, reject })
      }),
  }
}

/** Those below are for services; the system gives those above to connections, which could take one while a server restarts. */
const [firstPort, endOfPorts] = [10_000, 32_000]
// Each thread of each process starts elsewhere.
let nextPort = firstPort + ((process.pid * 101 + threadId * 97) % (endOfPorts - firstPort))

/** @param {number} count */
async function freePorts(count) {
  /** @type {number[]} */
  const ports = []
  while (ports.length < count) {
    nextPort = nextPort + 1 < endOfPorts ? nextPort + 1 : firstPort
    if (await isFree(nextPort)) ports.push(nextPort)
  }
  return ports
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

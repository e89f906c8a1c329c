/** Starts all of it on this machine: a nats-server, a process that serves the tool, and the page. Ends with Ctrl+C. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build, createServer } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const { NATS_PORT = '4222', NATS_WEBSOCKET_PORT = '9222', PORT = '5173' } = process.env
const folder = mkdtempSync(join(tmpdir(), 'offthread-fleet-'))
/** @type {import('node:child_process').ChildProcess[]} */
const children = []
let isOpen = false
/** What src/ imports of this repository. */
const linked = ['core', 'core/indexeddb', 'core/testing', 'fleet', 'nats', 'nats/offline', 'react']

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit())

const config = join(folder, 'nats.conf')
writeFileSync(
  config,
  `listen: "127.0.0.1:${NATS_PORT}"
jetstream { store_dir: "${join(folder, 'store')}" }
websocket { listen: "127.0.0.1:${NATS_WEBSOCKET_PORT}", no_tls: true }`,
)
// Debian installs it where only root looks.
const natsServer =
  process.env['NATS_SERVER'] ??
  (existsSync('/usr/sbin/nats-server') ? '/usr/sbin/nats-server' : 'nats-server')
await started([natsServer, '--config', config], /Server is ready/)

// An app has a step like this in its build: the tools, as one file for Node.
await build({
  root,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: { ssr: 'src/tools.worker.ts', outDir: folder, emptyOutDir: false },
})
const command = join(root, 'node_modules/@offthread/fleet/dist/offthread-tools.js')
if (!existsSync(command)) {
  // In an app it is the one of the package: npx offthread-tools.
  const packages = spawn('npm', ['run', '--silent', 'build'], { cwd: join(root, '../..') })
  await once(packages, 'exit')
}
const script = join(folder, 'tools.worker.js')
const address = ['--nats', `nats://127.0.0.1:${NATS_PORT}`]
const serve = [command, 'serve', script, ...address, '--name', 'the-process-next-door']
await started([process.execPath, ...serve], / serves /)

process.env['VITE_NATS'] = `ws://127.0.0.1:${NATS_WEBSOCKET_PORT}`
const page = await createServer({
  root,
  server: { port: Number(PORT), host: '127.0.0.1' },
  // Each as one file, like any package that is installed: a linked one would come as hundreds, and again for each browser.
  // They are made at each start, because what is linked changes without a new version.
  cacheDir: join(folder, 'vite'),
  optimizeDeps: { include: linked.map((name) => `@offthread/${name}`) },
})
await page.listen()
isOpen = true
console.log(`Open http://127.0.0.1:${PORT} in one browser, or in two.`)

/**
 * Starts a program, and resolves when it has printed what it prints when it is ready.
 *
 * @param {readonly [string, ...string[]]} command
 * @param {RegExp} ready
 */
async function started([program, ...args], ready) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  /** @type {Promise<void>} */
  const isReady = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        console.log(`${basename(program)} ${child.pid}: ${line}`)
        if (ready.test(line)) resolve()
      })
    }
  })
  const failed = Promise.race([once(child, 'error'), once(child, 'exit')]).then(([reason]) => {
    // Later it is ended on purpose, as README.md says.
    if (isOpen) return
    console.error(
      `${program} has ended (${reason}). Is it there, and its port free? See README.md.`,
    )
    process.exit(1)
  })
  await Promise.race([isReady, failed])
}

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crossOriginConsumers } from './cross-origin.mjs'
import { plainConsumer } from './plain.mjs'
import { runQuietly, serveWith } from './run-quietly.mjs'
import { freePort, serveFolder } from './serve-folder.mjs'

/** @typedef {import('./consumer.ts').Consumer} Consumer */
/** @typedef {import('./consumer.ts').Served} Served */

const apps = fileURLToPath(new URL('apps/', import.meta.url))
const strict = "script-src 'self'; worker-src 'self'"
/** Next.js writes scripts into its page; only a nonce for each request would allow them one by one. */
const inlineScripts = "script-src 'self' 'unsafe-inline'; worker-src 'self'"
const react = ['react', 'react-dom', 'zod']

/** @type {readonly Consumer[]} */
export const consumers = [
  {
    name: 'vite',
    mode: 'dev',
    csp: strict,
    template: 'vite',
    packages: ['vite', ...react],
    serve: serveViteDev,
  },
  {
    name: 'vite-without-plugin',
    mode: 'dev',
    csp: strict,
    template: 'vite',
    packages: ['vite', ...react],
    serve: serveViteDev,
  },
  {
    name: 'vite',
    mode: 'build',
    csp: strict,
    template: 'vite',
    packages: ['vite', ...react],
    serve: buildWithVite,
  },
  built('webpack', 'webpack'),
  built('rspack', '@rspack/core'),
  built('esbuild', 'esbuild'),
  next('next-turbopack', '--turbopack'),
  next('next-webpack', '--webpack'),
  plainConsumer,
  ...crossOriginConsumers,
]

/**
 * @param {string} folder
 * @param {Consumer} consumer
 * @returns {Promise<Served>}
 */
async function serveViteDev(folder, { name, csp }) {
  const port = await freePort()
  const args = ['node_modules/vite/bin/vite.js', '--host', '127.0.0.1', '--port', String(port)]
  const { stop } = await serveWith([...args, '--strictPort'], {
    cwd: folder,
    env: { CSP: csp, ...(name === 'vite-without-plugin' && { PLUGIN: 'none' }) },
    says: /Local:/,
  })
  return { url: `http://127.0.0.1:${port}/`, stop }
}

/**
 * @param {string} folder
 * @param {Consumer} consumer
 * @returns {Promise<Served>}
 */
async function buildWithVite(folder, { csp }) {
  await runQuietly(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], { cwd: folder })
  return serveDist(folder, csp)
}

/**
 * A bundler with a script that writes `dist`.
 *
 * @param {string} name
 * @param {string} bundler
 * @returns {Consumer}
 */
function built(name, bundler) {
  return {
    name,
    mode: 'build',
    csp: strict,
    template: name,
    packages: [bundler, ...react],
    serve: async (folder, { csp }) => {
      await runQuietly(process.execPath, ['build.mjs'], { cwd: folder })
      cpSync(join(apps, 'bundled.html'), join(folder, 'dist/index.html'))
      return serveDist(folder, csp)
    },
  }
}

/**
 * @param {string} folder
 * @param {string} csp
 * @returns {Promise<Served>}
 */
async function serveDist(folder, csp) {
  const { origin, stop } = await serveFolder(join(folder, 'dist'), {
    'content-security-policy': csp,
  })
  return { url: `${origin}/`, stop }
}

/**
 * @param {string} name
 * @param {'--turbopack' | '--webpack'} flag
 * @returns {Consumer}
 */
function next(name, flag) {
  return {
    name,
    mode: 'build',
    csp: inlineScripts,
    template: 'next',
    packages: ['next', ...react],
    serve: async (folder, { csp }) => {
      const bin = 'node_modules/next/dist/bin/next'
      const env = { CSP: csp, NEXT_TELEMETRY_DISABLED: '1' }
      await runQuietly(process.execPath, [bin, 'build', flag], { cwd: folder, env })
      const port = await freePort()
      const args = [bin, 'start', '--hostname', '127.0.0.1', '--port', String(port)]
      const { stop } = await serveWith(args, { cwd: folder, env, says: /Ready/i })
      return { url: `http://127.0.0.1:${port}/`, stop }
    },
  }
}

import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crossOriginConsumers } from './cross-origin.mjs'
import { frameworkConsumers } from './frameworks.mjs'
import { plainConsumer } from './plain.mjs'
import { runQuietly, serveWith } from './run-quietly.mjs'
import { freePort, serveFolder } from './serve-folder.mjs'
import { testRunnerConsumers } from './test-runners.mjs'

/** @typedef {import('./consumer.ts').Consumer} Consumer */
/** @typedef {import('./consumer.ts').Served} Served */

const apps = fileURLToPath(new URL('apps/', import.meta.url))
const strict = "script-src 'self'; worker-src 'self'"
/** Next.js and React Router write scripts into a page: only a nonce for each request would allow them one by one. */
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
  {
    name: 'vite-library',
    mode: 'build',
    csp: strict,
    template: 'vite',
    packages: ['vite', ...react],
    serve: buildWithVite,
  },
  ...['6.4.6', '7.3.8'].map(buildWithOldVite),
  built('webpack', 'webpack'),
  built('rspack', '@rspack/core'),
  built('esbuild', 'esbuild'),
  built(
    'rollup',
    ...['rollup', '@rollup/plugin-commonjs', '@rollup/plugin-node-resolve'],
    ...['@rollup/plugin-replace', '@surma/rollup-plugin-off-main-thread'],
  ),
  {
    name: 'parcel',
    mode: 'build',
    // It writes an import map into the page.
    csp: inlineScripts,
    template: 'parcel',
    packages: ['parcel', ...react],
    serve: buildWithParcel,
  },
  reactRouter('dev', serveReactRouter),
  reactRouter('build', buildWithReactRouter),
  next('next-turbopack', '--turbopack'),
  next('next-webpack', '--webpack'),
  plainConsumer,
  ...frameworkConsumers,
  ...crossOriginConsumers,
  ...testRunnerConsumers,
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
async function buildWithVite(folder, { name, csp }) {
  const isLibrary = name === 'vite-library'
  await runQuietly(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], {
    cwd: folder,
    env: isLibrary ? { LIBRARY: 'main' } : {},
  })
  if (isLibrary) cpSync(join(apps, 'bundled.html'), join(folder, 'dist/index.html'))
  return serveDist(folder, csp)
}

/**
 * @param {string} version
 * @returns {Consumer}
 */
function buildWithOldVite(version) {
  const [major] = version.split('.')
  return {
    ...{ name: `vite-${major}`, mode: 'build', csp: strict, template: 'vite' },
    packages: ['vite', ...react],
    versions: { vite: version },
    serve: buildWithVite,
  }
}

/**
 * @param {string} folder
 * @param {Consumer} consumer
 * @returns {Promise<Served>}
 */
async function buildWithParcel(folder, { csp }) {
  // Parcel reads the exports of packages only with this setting, and does not find what zod exports as `z`.
  edit(join(folder, 'package.json'), '{', '{"@parcel/resolver-default":{"packageExports":true},')
  edit(join(folder, 'src/tools.js'), '{ z }', '* as z')
  const args = ['node_modules/parcel/lib/bin.js', 'build', 'index.html']
  await runQuietly(process.execPath, args, { cwd: folder })
  return serveDist(folder, csp)
}

/**
 * @param {string} path
 * @param {string} old
 * @param {string} replacement
 */
function edit(path, old, replacement) {
  writeFileSync(path, readFileSync(path, 'utf8').replace(old, replacement))
}

/**
 * @param {'dev' | 'build'} mode
 * @param {Consumer['serve']} serve
 * @returns {Consumer}
 */
function reactRouter(mode, serve) {
  return {
    ...{ name: 'react-router', mode, csp: inlineScripts, template: 'react-router', serve },
    packages: [
      ...['@react-router/dev', '@react-router/node', '@react-router/serve', 'react-router'],
      ...['isbot', 'vite', ...react],
    ],
  }
}

/**
 * @param {string} folder
 * @param {Consumer} consumer
 * @returns {Promise<Served>}
 */
async function serveReactRouter(folder, { csp }) {
  const port = await freePort()
  const args = ['node_modules/@react-router/dev/bin.cjs', 'dev', '--host', '127.0.0.1']
  const { stop } = await serveWith([...args, '--port', String(port), '--strictPort'], {
    cwd: folder,
    env: { CSP: csp },
    says: /Local:/,
  })
  return { url: `http://127.0.0.1:${port}/`, stop }
}

/**
 * @param {string} folder
 * @param {Consumer} consumer
 * @returns {Promise<Served>}
 */
async function buildWithReactRouter(folder, { csp }) {
  await runQuietly(process.execPath, ['node_modules/@react-router/dev/bin.cjs', 'build'], {
    cwd: folder,
  })
  const port = await freePort()
  const { stop } = await serveWith(
    ['node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'],
    {
      cwd: folder,
      env: { CSP: csp, HOST: '127.0.0.1', PORT: String(port), NODE_ENV: 'production' },
      says: /http:/,
    },
  )
  return { url: `http://127.0.0.1:${port}/`, stop }
}

/**
 * A bundler with a script that writes `dist`.
 *
 * @param {string} name
 * @param {readonly string[]} packages
 * @returns {Consumer}
 */
function built(name, ...packages) {
  return {
    name,
    mode: 'build',
    csp: strict,
    template: name,
    packages: [...packages, ...react],
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

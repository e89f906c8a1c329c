import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly } from './run-quietly.mjs'
import { serveFolder } from './serve-folder.mjs'

/** @typedef {import('./consumer.ts').Consumer} Consumer */

const examples = fileURLToPath(new URL('../examples/frameworks', import.meta.url))
const strict = "script-src 'self'; worker-src 'self'"
/** Each writes a script into the page. */
const inlineScripts = "script-src 'self' 'unsafe-inline'; worker-src 'self'"

/**
 * The pages of `examples/frameworks`, and what has a bundler inside.
 *
 * @type {readonly Consumer[]}
 */
export const frameworkConsumers = [
  built('vue', {
    csp: strict,
    command: ['vite/bin/vite.js', 'build'],
    packages: ['vite', 'vue', '@vitejs/plugin-vue'],
  }),
  built('svelte', {
    csp: strict,
    command: ['vite/bin/vite.js', 'build'],
    packages: ['vite', 'svelte', '@sveltejs/vite-plugin-svelte'],
  }),
  built('sveltekit', {
    csp: inlineScripts,
    command: ['vite/bin/vite.js', 'build'],
    packages: [
      ...['@sveltejs/kit', '@sveltejs/adapter-static', '@sveltejs/vite-plugin-svelte'],
      ...['svelte', 'vite'],
    ],
    versions: { vite: '7.3.8', '@sveltejs/vite-plugin-svelte': '6.2.4' },
  }),
  built('angular', {
    csp: strict,
    command: ['@angular/cli/bin/ng.js', 'build'],
    packages: [
      ...['@angular/build', '@angular/cli', '@angular/common', '@angular/compiler'],
      ...['@angular/compiler-cli', '@angular/core', '@angular/platform-browser'],
      ...['rxjs', 'tslib', 'typescript'],
    ],
  }),
  built('rsbuild', {
    csp: strict,
    command: ['@rsbuild/core/bin/rsbuild.js', 'build'],
    packages: ['@rsbuild/core', 'react', 'react-dom'],
  }),
  built('astro', {
    csp: inlineScripts,
    command: ['astro/astro.js', 'build'],
    packages: ['astro', 'react', 'react-dom'],
  }),
]

/**
 * An app that a command builds into `dist`.
 *
 * @param {string} name
 * @param {Pick<Consumer, 'csp' | 'packages' | 'versions'> & { command: readonly string[] }} options
 * @returns {Consumer}
 */
function built(name, { command: [bin = '', ...args], packages, ...options }) {
  return {
    ...{ name, mode: 'build', template: name, ...options },
    packages: [...packages, 'zod'],
    serve: async (folder, { csp }) => {
      cpSync(examples, join(folder, 'src'), { recursive: true })
      const env = { ASTRO_TELEMETRY_DISABLED: '1', NG_CLI_ANALYTICS: 'false' }
      await runQuietly(process.execPath, [`node_modules/${bin}`, ...args], { cwd: folder, env })
      const { origin, stop } = await serveFolder(join(folder, 'dist'), {
        'content-security-policy': csp,
      })
      return { url: `${origin}/`, stop }
    },
  }
}

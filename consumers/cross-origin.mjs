import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepareFolder } from './plain.mjs'
import { runQuietly } from './run-quietly.mjs'
import { serveFolder } from './serve-folder.mjs'

const apps = fileURLToPath(new URL('apps/', import.meta.url))
const csp = "script-src 'self' (assets); worker-src blob:"

/** The page is on one origin, and all its scripts are on another. */
const shared = /** @type {const} */ ({ mode: 'build', csp, packages: [] })

/** @type {readonly import('./consumer.ts').Consumer[]} */
export const crossOriginConsumers = [
  {
    ...shared,
    name: 'vite-cross-origin',
    template: 'vite',
    packages: ['vite', 'react', 'react-dom', 'zod'],
    serve: (folder) =>
      onTwoOrigins({ folder: join(folder, 'dist'), workers: 'blob:' }, async (assets) => {
        useCrossOriginWorker(folder, {
          importing: "import address from './tools.worker.js?worker&url'\n",
          address: 'address',
        })
        const args = ['node_modules/vite/bin/vite.js', 'build']
        await runQuietly(process.execPath, args, { cwd: folder, env: { BASE: `${assets}/` } })
        return ''
      }),
  },
  {
    ...shared,
    name: 'webpack-cross-origin',
    csp: "script-src 'self' (assets); worker-src 'self'",
    template: 'webpack',
    packages: ['webpack', 'react', 'react-dom', 'zod'],
    serve: (folder) =>
      onTwoOrigins({ folder: join(folder, 'dist'), workers: "'self'" }, async (assets) => {
        await runQuietly(process.execPath, ['build.mjs'], {
          cwd: folder,
          env: { PUBLIC_PATH: `${assets}/` },
        })
        const page = readFileSync(join(apps, 'bundled.html'), 'utf8')
        writeFileSync(
          join(folder, 'dist/index.html'),
          page.replace('src="/main.js"', `src="${assets}/main.js"`),
        )
        return ''
      }),
  },
  {
    ...shared,
    name: 'plain-cross-origin',
    mode: 'none',
    template: 'plain',
    packages: ['zod'],
    serve: (folder) =>
      onTwoOrigins({ folder, workers: 'blob:' }, async (assets) => {
        useCrossOriginWorker(folder, {
          address: "new URL('./tools.worker.js', import.meta.url)",
        })
        const hash = prepareFolder(folder, assets)
        return `'${hash}'`
      }),
  },
]

/**
 * Serves a folder twice: as the page, and as the assets.
 *
 * @param {{ folder: string, workers: string }} options `workers`: where the CSP lets them come from
 * @param {(assets: string) => Promise<string>} build fills the folder; gives what else the page's CSP must allow
 */
async function onTwoOrigins({ folder, workers }, build) {
  const assets = await serveFolder(folder, { 'access-control-allow-origin': '*' })
  const allowed = await build(assets.origin)
  const page = await serveFolder(folder, {
    'content-security-policy': `script-src 'self' ${assets.origin} ${allowed}; worker-src ${workers}`,
  })
  return {
    url: `${page.origin}/`,
    stop: () => Promise.all([page.stop(), assets.stop()]),
  }
}

/**
 * The one change that an app has to make.
 *
 * @param {string} folder
 * @param {{ importing?: string, address: string }} options
 */
function useCrossOriginWorker(folder, { importing = '', address }) {
  const path = join(folder, 'src/agent.js')
  const source = readFileSync(path, 'utf8')
    .replace('import { inWorkers }', 'import { crossOriginWorker, inWorkers }')
    .replace(/new Worker\(.*\)(?=,\n)/, `crossOriginWorker(${address})`)
  if (!source.includes(`() => crossOriginWorker(${address})`)) {
    throw new Error(`agent.js does not start its worker as expected:\n${source}`)
  }
  writeFileSync(path, importing + source)
}

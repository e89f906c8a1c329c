import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { bundle, serve } from '../soak/serve.mjs'
import { serveOutside } from './serve-outside.mjs'
import { serveTrials } from './serve-trials.mjs'

/** Serves all that is tried, each on an origin of its own. */
export async function servePages() {
  const tools = await source('./tools.worker.ts')
  const outside = await serveOutside()
  const assets = await serve(
    {
      '/tools.js': tools,
      '/entry.js': "import './tools.js'",
      '/page.js': await source('./foreign-page.ts'),
    },
    {},
    { 'access-control-allow-origin': '*' },
  )
  const strict = await serveStrict(assets.origin)
  const trials = await serveTrials({
    '/page.js': await source('./page.ts'),
    '/tools.js': tools,
    '/module.js': "import './tools.js'",
    '/evil.js': await source('../packages/core/src/tools/fixtures/evil.fixtures.worker.ts'),
    '/isolated.js': await source('../packages/isolated/src/fixtures/isolated.fixtures.worker.ts'),
  })
  const killed = await serveTrials(
    { '/page.js': await source('./killed-thread.ts'), '/tools.js': tools },
    {
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    },
  )
  const demo = await serveDemo()
  const query = new URLSearchParams([
    ['outside', outside.origin],
    ['assets', assets.origin],
    ...strict.map(({ origin }) => ['strict', origin]),
  ])
  return {
    demo: demo.origin,
    /** @param {import('./driver.ts').Driver} driver */
    runTrials: async (driver) => [
      ...(await trials.run(driver, String(query))),
      ...(await killed.run(driver, '')),
    ],
    close: () => {
      for (const server of [outside, assets, ...strict, trials, killed, demo]) server.close()
    },
  }
}

/**
 * Pages with a policy, whose tools come from the assets. The second allows them in `worker-src`, the third no worker.
 *
 * @param {string} assets
 */
async function serveStrict(assets) {
  const page = { '/page.js': await source('./foreign-page.ts') }
  return Promise.all(
    ["'self' blob:", `'self' blob: ${assets}`, "'none'"].map((workers) => {
      const scripts = `default-src 'self'; script-src 'self' ${assets}`
      const policy = `${scripts}; worker-src ${workers}`
      return serve(page, {}, { 'content-security-policy': policy })
    }),
  )
}

/** The build that users get. */
async function serveDemo() {
  const root = fileURLToPath(new URL('../apps/demo/', import.meta.url))
  await build({ root, logLevel: 'error' })
  const server = await preview({ root, preview: { host: '127.0.0.1', port: 0 } })
  const origin = server.resolvedUrls?.local[0] ?? ''
  return { origin, close: () => void server.close() }
}

/** @param {string} path */
function source(path) {
  return bundle(new URL(path, import.meta.url))
}

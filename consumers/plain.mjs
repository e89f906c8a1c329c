import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveFolder } from './serve-folder.mjs'

/** Where npm has put the packages in the served folder. */
const core = '/node_modules/@offthread/core/dist'
const zod = '/node_modules/zod/index.js'

/** What the page imports by name. `worker.js` has no such imports, because import maps do not reach workers. */
const imports = {
  '@offthread/core': `${core}/index.js`,
  '@offthread/core/testing': `${core}/testing.js`,
  'zustand/vanilla': '/node_modules/zustand/esm/vanilla.mjs',
  '@noble/hashes/': '/node_modules/@noble/hashes/',
}

/** @type {import('./consumer.ts').Consumer} */
export const plainConsumer = {
  name: 'plain',
  mode: 'none',
  csp: "script-src 'self' 'sha256-(the import map)'; worker-src 'self'",
  template: 'plain',
  packages: ['zod'],
  serve: async (folder) => {
    const hash = prepareFolder(folder, '')
    const { origin, stop } = await serveFolder(folder, {
      'content-security-policy': `script-src 'self' '${hash}'; worker-src 'self'`,
    })
    return { url: `${origin}/`, stop }
  },
}

/**
 * Replaces names by addresses where import maps do not work, and adds an import map to the page.
 *
 * @param {string} folder
 * @param {string} assets the origin that serves everything but the page; empty for the page's own
 * @returns {string} the hash by which a CSP allows the import map
 */
export function prepareFolder(folder, assets) {
  for (const file of ['tools.js', 'tools.worker.js']) {
    const path = join(folder, 'src', file)
    const source = readFileSync(path, 'utf8')
      .replace(/'@offthread\/core(\/worker)?'/, `'${core}/worker.js'`)
      .replace("'zod'", `'${zod}'`)
    writeFileSync(path, source)
  }
  const map = JSON.stringify({
    imports: Object.fromEntries(
      Object.entries(imports).map(([name, path]) => [name, assets + path]),
    ),
  })
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="importmap">${map}</script><script type="module" src="${assets}/main.js"></script>`,
  )
  return `sha256-${createHash('sha256').update(map).digest('base64')}`
}

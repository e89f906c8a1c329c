import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Where bundles go: a folder that no tool reads, and inside the repository, so that imports of packages resolve. */
const cache = join(root, 'node_modules', '.cache', 'sim')

/**
 * Node before 22 cannot run TypeScript: bundles an entry of this folder with the product's own sources.
 *
 * @param {string} entry a file of this folder
 * @param {{ name?: string, plugins?: import('rolldown').RolldownPluginOption[] }} [options]
 * @returns {Promise<string>} the file that can be run
 */
export async function bundle(entry, { name = entry.replace(/\.ts$/, ''), plugins = [] } = {}) {
  mkdirSync(cache, { recursive: true })
  const file = join(cache, `${name}.mjs`)
  const bundler = await rolldown({
    input: join(root, 'sim', entry),
    platform: 'node',
    external: [/^node:/, 'fast-check'],
    plugins,
  })
  await bundler.write({
    file,
    format: 'esm',
    sourcemap: plugins.length === 0,
    codeSplitting: false,
  })
  await bundler.close()
  return file
}

/** Replaces `fold` by the one that rebuilds every state from the log. @type {import('rolldown').Plugin} */
export const refoldPlugin = {
  name: 'refold',
  async resolveId(source, importer) {
    if (!source.endsWith('/fold.ts') || importer?.endsWith('/fold-wrapped.ts')) return null
    return join(root, 'sim', 'modes', 'fold-wrapped.ts')
  },
}

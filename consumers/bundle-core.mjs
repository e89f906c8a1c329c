import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const source = fileURLToPath(new URL('../packages/core/src/', import.meta.url))

/**
 * Makes a few files of the sources of the core, as Vite's own optimizer does with an installed package. Loading two
 * hundred small files would measure the machine more than the subject of a test.
 *
 * @param {string} folder
 * @param {readonly string[]} entries names of files in `packages/core/src`, without their ending
 */
export async function bundleCore(folder, entries) {
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, `${source}${entry}.ts`])),
    platform: 'browser',
  })
  await build.write({ dir: folder, format: 'esm' })
  await build.close()
}

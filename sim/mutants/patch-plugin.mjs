import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {import('./mutant.ts').Edit} Edit
 */

export const sources = fileURLToPath(new URL('../../packages/core/src/', import.meta.url))

/**
 * Puts edits into a source. Throws when one does not fit exactly once: then the code has changed, and the mutant
 * would be the same as the product.
 *
 * @param {string} code
 * @param {readonly Edit[]} edits
 */
export function patched(code, edits) {
  return edits.reduce((text, { file, find, replace }) => {
    const parts = text.split(find)
    if (parts.length !== 2) {
      throw new Error(`${file} has ${parts.length - 1} times: ${find}`)
    }
    return parts.join(replace)
  }, code)
}

/**
 * Patches the product while it is bundled.
 *
 * @param {readonly Edit[]} edits
 * @returns {import('rolldown').Plugin}
 */
export function patchPlugin(edits) {
  return {
    name: 'patch',
    transform(code, id) {
      const own = edits.filter(({ file }) => id === join(sources, file))
      return own.length > 0 ? patched(code, own) : null
    },
  }
}

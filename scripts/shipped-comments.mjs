import { parseSync } from 'oxc-parser'

/**
 * The comments in a built file that are for people, not for tools such as `@__PURE__` and `# sourceMappingURL`.
 *
 * @param {string} path
 * @param {string} text
 */
export function shippedComments(path, text) {
  return parseSync(path, text).comments.filter(
    // The first line of a command says what runs it.
    ({ value, start }) => !/^\s*[@#]/.test(value) && !text.startsWith('#!', start),
  )
}

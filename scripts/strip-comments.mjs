/**
 * The last step of `npm run build`: blanks the comments in the JavaScript that is shipped. Some plugins of bundlers
 * search files for `new Worker(new URL(…))` and would take an example in a comment for code. Declarations keep their
 * comments, for editors. Lines and columns stay where they are, because the source maps count them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shippedComments } from './shipped-comments.mjs'

for (const name of readdirSync('packages')) {
  const folder = join('packages', name, 'dist')
  for (const file of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
    if (file.endsWith('.js')) stripComments(join(folder, file))
  }
}

/** @param {string} path */
function stripComments(path) {
  const text = readFileSync(path, 'utf8')
  let stripped = ''
  let end = 0
  for (const comment of shippedComments(path, text)) {
    stripped += text.slice(end, comment.start)
    stripped += text.slice(comment.start, comment.end).replace(/[^\n]/g, ' ')
    end = comment.end
    if (text[end] === '\n')
      stripped = stripped.replace(/[ \n]*$/, (blank) => blank.replaceAll(' ', ''))
  }
  writeFileSync(path, stripped + text.slice(end))
}

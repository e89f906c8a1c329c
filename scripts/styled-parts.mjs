import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { importsOf } from './read-module.mjs'

/** Where the parts live: the demo is built on them. */
const source = 'apps/demo/src'

/**
 * The look of the demo that an app can copy, by the modules that it imports.
 *
 * @type {Readonly<Record<string, { about: string, modules: readonly string[] }>>}
 */
const offered = {
  'tool-card': {
    about: 'one tool call: status, progress, approval, result, log, input, timing, retry',
    modules: ['cards/tool-card.tsx'],
  },
  'tool-group': {
    about: 'the calls of an answer, with their count and a small waterfall',
    modules: ['cards/tool-group.tsx'],
  },
  message: {
    about: 'a question, an answer, and what can be done with them',
    modules: ['chat/question.tsx', 'chat/answer.tsx', 'chat/answer-actions.tsx'],
  },
  markdown: {
    about: 'the text of an answer; no HTML, nothing loaded',
    modules: ['markdown/markdown.tsx'],
  },
  composer: {
    about: 'the field, the queue, Stop, and what the run does',
    modules: ['chat/composer.tsx'],
  },
}

/** What shows what deceives as marks in all texts of JSX. It goes with every part. */
const runtimeFolder = 'jsx'
const runtime = [`${runtimeFolder}/jsx-runtime.ts`, `${runtimeFolder}/jsx-dev-runtime.ts`]

/** They go with every part: of those that an app does not use, it deletes the line. */
const entryOfStyles = 'styles/parts.css'

/** @typedef {{ about: string, modules: readonly string[], files: string[], packages: string[] }} StyledPart */

/**
 * What each part needs: its files, and the packages that its app has to install.
 *
 * @returns {Record<string, StyledPart>}
 */
export function styledParts() {
  const styles = [entryOfStyles, ...importedStyles()]
  return Object.fromEntries(
    Object.entries(offered).map(([name, { about, modules }]) => {
      const { files, packages } = reach([...modules, ...runtime])
      return [name, { about, modules, files: ['LICENSE', ...styles, ...files], packages }]
    }),
  )
}

/**
 * A file as an app gets it. The app's own runtime would show the texts of JSX as they are.
 *
 * @param {string} file
 */
export function styledText(file) {
  const text = readFileSync(file === 'LICENSE' ? file : join(source, file), 'utf8')
  if (!file.endsWith('.tsx')) return text
  return `/** @jsxImportSource ${relative(dirname(file), runtimeFolder)} */\n${text}`
}

function importedStyles() {
  const text = readFileSync(join(source, entryOfStyles), 'utf8')
  return [...text.matchAll(/@import "([^"]+)"/g)].map(([, path = '']) =>
    join(dirname(entryOfStyles), path),
  )
}

/** What every app has that uses the package. */
const peers = /^(react|react-dom|@offthread\/core|@offthread\/react)(\/|$)/

/**
 * All that the modules import, and what that imports.
 *
 * @param {readonly string[]} modules
 */
function reach(modules) {
  const files = new Set(modules)
  /** @type {Set<string>} */
  const packages = new Set()
  for (const file of files) {
    for (const { specifier } of importsOf(join(source, file))) {
      if (specifier.startsWith('.')) files.add(join(dirname(file), specifier))
      else if (!peers.test(specifier)) packages.add(specifier)
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() }
}

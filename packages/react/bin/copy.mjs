#!/usr/bin/env node
/**
 * `npx @offthread/react copy tool-card composer`: copies the look of parts into an app, which owns the files from then on.
 * A file that is there and differs is replaced with `--force` only; without it, nothing is copied.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** @typedef {{ about: string, modules: string[], files: string[], packages: string[] }} Part */

const styled = fileURLToPath(new URL('../styled/', import.meta.url))
const { parts } = /** @type {{ parts: Record<string, Part> }} */ (
  JSON.parse(readFileSync(join(styled, 'parts.json'), 'utf8'))
)

const usage = `Usage: npx @offthread/react copy NAME… [--to FOLDER] [--force]

${Object.entries(parts)
  .map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`)
  .join('\n')}

The files go to src/offthread, unless --to names another folder. They are yours from then on.
A file that is there and differs is replaced with --force only.`

try {
  copy(readArguments())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** @typedef {{ names: string[], to: string, force: boolean }} Wanted */

/** @returns {Wanted} */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string', default: 'src/offthread' },
      force: { type: 'boolean', default: false },
    },
  })
  const [command, ...names] = positionals
  if (command !== 'copy' || names.length === 0) throw new Error(usage)
  const unknown = names.filter((name) => !Object.hasOwn(parts, name))
  if (unknown.length > 0) {
    const there = Object.keys(parts).join(', ')
    throw new Error(
      `There is no part ${unknown.map((name) => `"${name}"`).join(' or ')}. There are: ${there}.`,
    )
  }
  return { names, ...values }
}

/** @param {Wanted} wanted */
function copy({ names, to, force }) {
  const chosen = Object.entries(parts).filter(([name]) => names.includes(name))
  const files = [...new Set(chosen.flatMap(([, part]) => part.files))]
  const others = files.filter((file) => existsSync(join(to, file)) && !isSame(file, to))
  if (others.length > 0 && !force) throw new Error(refusal(others, to))
  const missing = files.filter((file) => !existsSync(join(to, file)))
  for (const file of [...missing, ...others]) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    writeFileSync(join(to, file), readFileSync(join(styled, file)))
  }
  report({ to, files, written: missing.length, replaced: others.length })
  const packages = [...new Set(chosen.flatMap(([, part]) => part.packages))]
  if (packages.length > 0) console.log(`They need: npm install ${packages.join(' ')}`)
  console.log(`Import ${join(to, 'styles/parts.css')} once, and:`)
  for (const [, part] of chosen) {
    for (const module of part.modules) console.log(`  ${join(to, module)}`)
  }
}

/**
 * @param {string} file
 * @param {string} to
 */
function isSame(file, to) {
  return readFileSync(join(styled, file)).equals(readFileSync(join(to, file)))
}

/**
 * @param {string[]} files
 * @param {string} to
 */
function refusal(files, to) {
  const list = files.map((file) => `  ${join(to, file)}`).join('\n')
  return `These files are there and differ, so nothing was copied:\n${list}\nUse --force to replace them, or --to for another folder.`
}

/** @param {{ to: string, files: string[], written: number, replaced: number }} copied */
function report({ to, files, written, replaced }) {
  const there = files.length - written - replaced
  const rest = [
    replaced > 0 ? `${replaced} replaced` : '',
    there > 0 ? `${there} there already` : '',
  ].filter(Boolean)
  console.log([`${to}: ${written} files copied`, ...rest].join(', '))
}

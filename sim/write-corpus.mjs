/** `node sim/write-corpus.mjs 0.1.0`: writes logs of this release, which every later one has to open. Adds to those that are there. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'

const file = await bundle('corpus.ts')
const corpus = fileURLToPath(new URL('../packages/core/corpus', import.meta.url))
const [version = ''] = process.argv.slice(2)
const { status } = spawnSync(process.execPath, [file, version, corpus], {
  stdio: ['ignore', 'inherit', 'ignore'],
})
process.exitCode = status ?? 1

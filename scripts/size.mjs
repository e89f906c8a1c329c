/**
 * `npm run size`: what a page has to load, minified and gzipped, without React. Fails if it is more than its limit.
 * Code that is loaded on demand is listed apart.
 */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const examples = fileURLToPath(new URL('../examples/', import.meta.url))
const core = `export { createAgent, defineTool, inWorkers } from '${packages}core/src/index.ts'`

/**
 * @typedef {{ name: string, code: string, external: (RegExp)[], limit: number }} Measured
 * `limit`: kB; more fails the build.
 */

/** @type {readonly Measured[]} */
const measured = [
  { name: 'core', code: core, external: [], limit: 32.6 },
  {
    name: 'core + openai',
    code: `${core}\nexport { openai } from '${packages}core/src/openai.ts'`,
    external: [],
    limit: 42,
  },
  {
    name: 'core + anthropic, SDK included',
    code: `${core}\nexport { anthropic } from '${packages}core/src/anthropic.ts'`,
    external: [],
    limit: 43.6,
  },
  {
    name: 'core + webllm',
    code: `${core}\nexport { webllm } from '${packages}core/src/webllm.ts'`,
    external: [],
    limit: 40.2,
  },
  {
    name: 'core + MCP, SDK on demand',
    code: `${core}\nexport { mcpTools } from '${packages}core/src/mcp.ts'`,
    external: [],
    limit: 33.2,
  },
  {
    name: 'sessions at a NATS server',
    code: `export { nats } from '${packages}nats/src/index.ts'`,
    external: [],
    limit: 16.4,
  },
  {
    name: 'sessions also offline',
    code: `export { alsoOffline } from '${packages}nats/src/offline.ts'`,
    external: [],
    limit: 7.2,
  },
  {
    name: 'fleet',
    code: `export { inFleet } from '${packages}fleet/src/index.ts'`,
    external: [/^@offthread\/core/],
    limit: 5.6,
  },
  {
    name: 'React layer',
    code: `export { useAgent, useToolCall } from '${packages}react/src/index.ts'`,
    external: [/^react/, /^@offthread\/core/],
    limit: 1.5,
  },
  ...[
    { name: 'React timeline', entry: 'timeline.ts', limit: 7.9 },
    { name: 'React inspector', entry: 'inspector.ts', limit: 9.4 },
    { name: 'React run panel', entry: 'run-panel.ts', limit: 21.7 },
    { name: 'React devtools', entry: 'devtools.ts', limit: 1 },
    { name: 'React devtools in production', entry: 'devtools-production.ts', limit: 0.1 },
  ].map(({ name, entry, limit }) => ({
    ...{ name, limit, code: `export * from '${packages}react/src/${entry}'` },
    external: [/^react/, /^@offthread\/core/],
  })),
  {
    name: 'page that loads its agent later',
    code: `export { Page } from '${examples}quick-start/src/page.tsx'`,
    external: [/^react/],
    limit: 6,
  },
]

/** @param {Measured} one */
async function sizesOf({ code, external }) {
  const entry = '\0entry.ts'
  const bundler = await rolldown({
    input: entry,
    external,
    platform: 'browser',
    // As an app's bundler does: what the first load shares with code on demand stays in its one file.
    preserveEntrySignatures: 'allow-extension',
    cwd: packages,
    plugins: [
      {
        name: 'entry',
        resolveId: (source) => (source === entry ? entry : null),
        load: (id) => (id === entry ? { code, moduleType: 'ts' } : null),
      },
    ],
  })
  const { output } = await bundler.generate({ format: 'esm', minify: true })
  await bundler.close()
  const chunks = output.filter((one) => one.type === 'chunk')
  const first = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of first) {
    for (const file of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      first.add(file)
  }
  const sum = (/** @type {boolean} */ isFirst) =>
    chunks
      .filter(({ fileName }) => first.has(fileName) === isFirst)
      .reduce((total, chunk) => total + gzipSync(chunk.code, { level: 9 }).length, 0)
  return { first: sum(true) / 1000, later: sum(false) / 1000 }
}

let failed = false
console.log('what'.padEnd(34), 'kB gzip'.padStart(8), 'later'.padStart(7), 'limit'.padStart(7))
for (const one of measured) {
  const { first, later } = await sizesOf(one)
  const isTooLarge = first > one.limit
  failed ||= isTooLarge
  console.log(
    one.name.padEnd(34),
    first.toFixed(1).padStart(8),
    later.toFixed(1).padStart(7),
    String(one.limit).padStart(7),
    isTooLarge ? ' TOO LARGE' : '',
  )
}
process.exitCode = failed ? 1 : 0

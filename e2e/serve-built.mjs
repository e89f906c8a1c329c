/** `node serve-built.mjs DEMO_PORT FAULTS_PORT`: builds the demo page and the page with faulty tools side by side, and serves them. */
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

const [demoPort, faultsPort] = process.argv.slice(2).map(Number)
const pages = [
  { root: fileURLToPath(new URL('faults-page', import.meta.url)), port: faultsPort },
  { root: fileURLToPath(new URL('../apps/demo', import.meta.url)), port: demoPort },
]

await Promise.all(pages.map(({ root }) => build({ root })))
// The tests wait for the last one.
for (const { root, port } of pages) {
  await preview({ root, preview: { host: '127.0.0.1', port, strictPort: true } })
}

/**
 * `npm run demo` and `npm test`, on a machine that has only Node and npm. Before install() has run there is no
 * node_modules: what is imported here uses Node alone.
 */
import { requireNode } from './node-version.mjs'

requireNode()

const [command] = process.argv.slice(2)
if (command === 'demo') {
  const { runDemo } = await import('./demo.mjs')
  process.exitCode = await runDemo()
} else if (command === 'test') {
  const { runTests } = await import('./test.mjs')
  process.exitCode = await runTests()
} else {
  console.error('Usage: node scripts/run.mjs demo | test')
  process.exitCode = 2
}

/**
 * `npm run types`: checks the types of every folder with a tsconfig.json, as many at once as there are cores. So each
 * compiler works in one thread: its checkers would each check what they share. It collects garbage rarely, as it ends soon.
 */
import { availableParallelism } from 'node:os'
import { run } from './child.mjs'
import { sideBySide } from './side-by-side.mjs'

/** Those that take longest come first. */
const folders = [
  ...['packages/core', 'e2e', 'apps/demo', 'packages/react', 'examples/quick-start', '.'],
  ...[
    'packages/adapters',
    'packages/chrome',
    'packages/fleet',
    'packages/isolated',
    'packages/nats',
  ],
  ...['apps/demo/offline', 'examples/calculator', 'examples/fleet', 'examples/proxy'],
  ...['examples/short', 'bench', 'consumers', 'engines', 'fleet', 'sim', 'soak', 'wire'],
]
const compiler = ['node_modules/typescript/bin/tsc', '--singleThreaded', '--pretty', '-p']

const codes = await sideBySide(folders, availableParallelism(), async (folder) => {
  let printed = ''
  const code = await run(process.execPath, [...compiler, folder], {
    env: { GOGC: '400' },
    onText: (text) => (printed += text),
  })
  if (code !== 0) console.error(`tsc -p ${folder}\n${printed}`)
  return code
})
process.exitCode = codes.every((code) => code === 0) ? 0 : 1

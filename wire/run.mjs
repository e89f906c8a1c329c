/** `npm run test:wire`: every stream, cut and split at each byte, and many random ones. */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(
  process.execPath,
  [
    vitest,
    'run',
    '--project',
    'node',
    '--project',
    'alone',
    '--project',
    'wire',
    'wire/',
    // As the project `wire` has it: Vitest refuses projects that differ in it.
    '--maxWorkers',
    String(availableParallelism() + 1),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, WIRE_WHOLE: '1' } },
)
process.exitCode = status ?? 1

import { fileURLToPath } from 'node:url'
import { run } from './child.mjs'
import { install } from './install.mjs'

/** Serves the demo page until told to stop. Vite prints the address. */
export async function runDemo() {
  if (!(await install())) return 1
  const cwd = fileURLToPath(new URL('../apps/demo', import.meta.url))
  // Vite's own file, not `npm run dev`: one process less that a signal could get stuck in.
  return run(process.execPath, ['node_modules/vite/bin/vite.js'], { cwd })
}

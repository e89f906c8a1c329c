import { fileURLToPath } from 'node:url'
import { run } from './child.mjs'
import { install } from './install.mjs'

/** Serves the demo page until it is stopped. Vite prints the address. */
export async function runDemo() {
  if (!(await install())) return 1
  const cwd = fileURLToPath(new URL('../apps/demo', import.meta.url))
  // Vite's own file instead of `npm run dev`, so that a signal has one process less to pass.
  return run(process.execPath, ['node_modules/vite/bin/vite.js'], { cwd })
}

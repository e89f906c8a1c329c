/** `npm run bench:kernel`: bundles the benchmark and runs it. */

import { bundle } from '../sim/bundle.mjs'

await import(await bundle('../bench/kernel.ts', { name: 'bench-kernel' }))

/** `npm run sim`: bundles the simulator and runs it. */

import { bundle, refoldPlugin } from './bundle.mjs'

const plugins = [refoldPlugin]
const [main] = await Promise.all([bundle('main.ts', { plugins }), bundle('share.ts', { plugins })])
await import(main)

/** `npm run sim`: bundles the simulator and runs it. */

import { bundle } from './bundle.mjs'

const [main] = await Promise.all([bundle('main.ts'), bundle('share.ts')])
await import(main)

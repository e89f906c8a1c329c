/** `npm run bench:nats`: bundles the benchmark and runs it, if there is a nats-server. */
import { requireNatsServer } from '../../scripts/nats-server.mjs'
import { bundle } from '../../sim/bundle.mjs'

if ((await requireNatsServer()) === undefined) process.exitCode = 1
else await import(await bundle('../bench/nats/measure.ts', { name: 'bench-nats' }))

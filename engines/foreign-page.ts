import { crossOriginWorker, inWorkers } from '../packages/core/src/index.ts'
import { callTo, createRecorder } from '../packages/core/src/tools/fixtures/calls.fixtures.ts'
import { measure } from './tools.ts'

// A page under a policy of its own, or without an origin, in a frame of the page with the trials: to it, its tools come
// from another origin.
const address = new URLSearchParams(location.search).get('assets') ?? ''
const host = inWorkers([measure], () => crossOriginWorker(`${address}entry.js`))
const settlement = await host
  .open(measure, { graceMs: 250 })
  .run(callTo('measure', { n: 21 }), createRecorder())
parent.postMessage(settlement, '*')

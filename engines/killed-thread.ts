import { inWorkers } from '../packages/core/src/index.ts'
import { callTo, createRecorder } from '../packages/core/src/tools/fixtures/calls.fixtures.ts'
import { require, runTrials } from './run-trials.ts'
import { loop } from './tools.ts'

/** Milliseconds without a turn of the loop after which its thread is gone. */
const quietMs = 1000
/** Chromium is known for two seconds. */
const longestMs = 5000

// The thread counts in memory that it shares with the page. Only a page that is isolated from other origins has some.
await runTrials({
  'the thread of a call that was cut off is gone': async () => {
    const turns = new Int32Array(new SharedArrayBuffer(4))
    const host = inWorkers([loop], () => {
      const worker = new Worker('/tools.js', { type: 'module' })
      // The runtime of tools does not look at what is not in its protocol.
      worker.postMessage(turns)
      return worker
    })
    const execution = host.open(loop, { graceMs: 250 })
    const recorder = createRecorder()
    const done = execution.run(callTo('loop', {}), recorder)
    await recorder.received('update')
    execution.stop()
    await done
    const endedAt = performance.now()
    require(Atomics.load(turns, 0) !== 0, 'It never ran.')
    const lastAt = await lastChange(turns)
    require(lastAt - endedAt < longestMs, lastAt - endedAt)
    return `${Math.round(Math.max(0, lastAt - endedAt))} ms after its card has ended`
  },
})

/** When the thread was last seen to run. */
async function lastChange(turns: Int32Array): Promise<number> {
  let before = Atomics.load(turns, 0)
  let lastAt = performance.now()
  while (performance.now() - lastAt < quietMs) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    const now = Atomics.load(turns, 0)
    if (now !== before) lastAt = performance.now()
    before = now
  }
  return lastAt
}

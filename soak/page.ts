import { inWorkers } from '../packages/core/src/index.ts'
import { callTo, createRecorder } from '../packages/core/src/tools/fixtures/calls.fixtures.ts'
import { faultTool } from '../packages/core/src/tools/fixtures/faults.fixtures.ts'

const fault = faultTool()
const host = inWorkers([fault], () => new Worker('/worker.js', { type: 'module' }))

function open(graceMs: number) {
  return host.open(fault, { graceMs })
}

/** Starts a call, and aborts it as soon as it runs. */
async function stopRunning(how: string, graceMs: number): Promise<unknown> {
  const execution = open(graceMs)
  const recorder = createRecorder()
  const done = execution.run(callTo('fault', { how }), recorder)
  await recorder.received('update')
  execution.stop()
  return done
}

/** The ways in which a worker ends, in turn. */
const cycles: readonly (() => Promise<unknown>)[] = [
  async () => open(5).close(),
  async () => {
    const execution = open(5)
    await execution.ready
    execution.close()
  },
  () => stopRunning('wait for the signal', 10_000),
  () => stopRunning('never reply', 5),
  () => open(5).run(callTo('fault', { how: 'reject unhandled' }), createRecorder()),
  () => open(5).run(callTo('fault', { how: 'throw' }), createRecorder()),
  () => open(5).run(callTo('fault', { how: 'return' }), createRecorder()),
]

/** Starts and ends so many workers, one after the other. */
async function spawnAndKill(times: number): Promise<void> {
  for (let i = 0; i < times; i++) await cycles[i % cycles.length]?.()
}

Object.assign(globalThis, { spawnAndKill })

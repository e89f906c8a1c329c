import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { behaveAt } from '../fixtures/behave.fixtures.ts'
import { node } from '../fixtures/browser-commands.fixtures.ts'
import { callTo, createRecorder } from '../fixtures/calls.fixtures.ts'
import { crossOriginWorker } from './cross-origin-worker.ts'
import { createWorkerHost } from './worker-host.ts'

const behave = behaveAt('worker')
/** Another port, which makes it another origin. */
let elsewhere = ''

beforeAll(async () => {
  elsewhere = await node.startServer({
    '/page.html': '<p>No script.',
    '/source.js': "import 'a-package'",
  })
  return () => node.stopServer(elsewhere)
})

test('a browser does not start a script of another origin by itself', () => {
  expect(() => new Worker(`${elsewhere}/tools.js`, { type: 'module' })).toThrow(
    expect.objectContaining({ name: 'SecurityError' }),
  )
})

test("runs a call in a script of another origin, and releases the Blob's address", async () => {
  const { made, kept } = watchAddresses()
  const host = createWorkerHost([behave], () => crossOriginWorker(`${elsewhere}/tools.js`))

  const execution = host.open(behave, { graceMs: 250 })
  const settlement = await execution.run(callTo('behave', { how: 'return' }), createRecorder())

  expect(settlement).toMatchObject({ kind: 'returned' })
  expect(made()).toBe(1)
  expect(kept()).toEqual([])
})

test('releases the address of a worker that was ended before its first message', () => {
  const { made, kept } = watchAddresses()

  crossOriginWorker(new URL(`${elsewhere}/tools.js`)).terminate()

  expect(made()).toBe(1)
  expect(kept()).toEqual([])
})

test('starts a script of the own origin without a Blob', async () => {
  const { made } = watchAddresses()
  const address = new URL('../fixtures/behave.fixtures.worker.ts', import.meta.url)
  const host = createWorkerHost([behave], () => crossOriginWorker(address))

  const execution = host.open(behave, { graceMs: 250 })
  const settlement = await execution.run(callTo('behave', { how: 'return' }), createRecorder())

  expect(settlement).toMatchObject({ kind: 'returned' })
  expect(made()).toBe(0)
})

test('starts any script by a Blob on a page without an origin, as in a sandboxed frame', async () => {
  vi.stubGlobal('origin', 'null')
  onTestFinished(() => void vi.unstubAllGlobals())
  const { made } = watchAddresses()
  const address = new URL('../fixtures/behave.fixtures.worker.ts', import.meta.url)
  const host = createWorkerHost([behave], () => crossOriginWorker(address))

  const execution = host.open(behave, { graceMs: 250 })
  const settlement = await execution.run(callTo('behave', { how: 'return' }), createRecorder())

  expect(settlement).toMatchObject({ kind: 'returned' })
  expect(made()).toBe(1)
})

test.for(['/missing.js', '/page.html'])('says what is wrong with %s', async (path) => {
  const { made, kept } = watchAddresses()
  const host = createWorkerHost([behave], () => crossOriginWorker(elsewhere + path))

  const execution = host.open(behave, { graceMs: 250 })

  await expect(execution.ready).rejects.toThrow(
    new RegExp(
      `The worker script ${elsewhere}${path} failed: .*\\. Check the address, Access-Control-Allow-Origin`,
    ),
  )
  expect(made()).toBe(1)
  expect(kept()).toEqual([])
})

test('reports what a script fails with, and releases its address then', async () => {
  const host = createWorkerHost([behave], () => crossOriginWorker(`${elsewhere}/strict-page.js`))

  const message = await host
    .open(behave, { graceMs: 250 })
    .ready.then(() => 'ready')
    .catch((error: Error) => error.message)

  expect(message).toContain(`The worker script ${elsewhere}/strict-page.js failed: `)
  expect(message).not.toContain('Access-Control-Allow-Origin')
})

test('says that a script was not bundled', async () => {
  const host = createWorkerHost([behave], () => crossOriginWorker(`${elsewhere}/source.js`))

  const { ready } = host.open(behave, { graceMs: 250 })

  await expect(ready).rejects.toThrow(
    /source\.js failed: .*a-package.* not bundled: .*workerPublicPath/,
  )
})

test.for([
  ['data:text/javascript,postMessage(1)', 'the bundler took the script for an asset'],
  ['blob:https://example.com/0f', 'needs the http or https address'],
  ['https://', 'not "https://"'],
])('refuses %s', ([address = '', sentence]) => {
  expect(() => crossOriginWorker(address)).toThrow(TypeError)
  expect(() => crossOriginWorker(address)).toThrow(sentence)
})

/** The addresses of Blobs that are created from now on, and whether each was released. */
function watchAddresses() {
  const made: string[] = []
  const make = URL.createObjectURL.bind(URL)
  const making = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    made.push(make(blob))
    return made.at(-1) ?? ''
  })
  const revoking = vi.spyOn(URL, 'revokeObjectURL')
  onTestFinished(() => {
    making.mockRestore()
    revoking.mockRestore()
  })
  return {
    made: () => made.length,
    kept: () => made.filter((address) => !revoking.mock.calls.flat().includes(address)),
  }
}

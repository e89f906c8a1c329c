import { expect, onTestFinished, test, vi } from 'vitest'
import { node } from '../../core/src/tools/fixtures/browser-commands.fixtures.ts'
import { callTo, createRecorder } from '../../core/src/tools/fixtures/calls.fixtures.ts'
import { act } from './fixtures/isolated.fixtures.ts'
import type { FrameRecipe } from './frame.ts'
import { frameHtml, framePolicy, isolatedFrameHtml } from './frame-html.ts'
import { frameScript } from './frame-script.ts'
import { isolateWith } from './isolated-host.ts'
import { IsolationError, isolationProbes } from './isolation-error.ts'
import { testIsolation } from './self-test.ts'
import { leaveMarks } from './storage-marks.ts'

/** The frame as it is, but without its refusal to work with an origin. */
const lenient = frameScript.replace("origin !== 'null'", 'false')
const connecting = ['fetch', 'xhr', 'websocket', 'eventsource', 'beacon']
const loading = ['import', 'script', 'style', 'font', 'image', 'media', 'frame', 'prefetch']
const network = [...connecting, ...loading]
const withoutPolicy: FrameRecipe = { html: frameHtml(frameScript, '') }

test('[P5] passes the frame as it is made', async () => {
  await testIsolation({ html: isolatedFrameHtml() })
  await testIsolation({ html: isolatedFrameHtml({ wasm: true }) })
  expect(document.querySelectorAll('iframe')).toHaveLength(0)
})

test('[P6] a page that stands still during the test is no way out: it is tested once more', async () => {
  const post = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
  onTestFinished(() => void vi.restoreAllMocks())
  post.mockImplementationOnce(() => {
    const end = performance.now() + 4000
    while (performance.now() < end);
  })

  await testIsolation({ html: isolatedFrameHtml() })

  expect(post).toHaveBeenCalledTimes(2)
})

test('[P6] a page without BroadcastChannel can be tested, and what is open is found', async () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  onTestFinished(() => void vi.unstubAllGlobals())

  await testIsolation({ html: isolatedFrameHtml() })
  expect(await escapedFrom(withoutPolicy)).toEqual(network)
  expect(document.querySelectorAll('iframe')).toHaveLength(0)
})

test('leaves no timer where the page may not make such a frame', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  vi.spyOn(HTMLIFrameElement.prototype, 'srcdoc', 'set').mockImplementation(() => {
    throw new TypeError('This needs a TrustedHTML.')
  })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  await expect(testIsolation({ html: isolatedFrameHtml() })).rejects.toThrow('Trusted Types')

  expect(vi.getTimerCount()).toBe(0)
})

test('[P5] without a network, the policy has to say what it stopped', async () => {
  vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  onTestFinished(() => void vi.restoreAllMocks())

  await testIsolation({ html: isolatedFrameHtml() })
  expect(await escapedFrom(withoutPolicy)).toEqual(network)
})

test('[P6] ends where the storage of the page never answers, and runs nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(caches, 'open').mockReturnValue(new Promise(() => {}))
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  const tested = expect(testIsolation({ html: isolatedFrameHtml() })).rejects.toThrow(
    'could not be tested within 10 s',
  )

  vi.advanceTimersByTime(10_000)

  await tested
  expect(vi.getTimerCount()).toBe(0)
})

test('[P5] what the page leaves in its storage for a test is gone after it', async () => {
  const mark = `probe-${Math.random()}`
  const stored = async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    const root = await navigator.storage.getDirectory()
    const file = await root.getFileHandle(mark).catch(() => null)
    const keys = [...(await caches.keys()), ...Object.keys(localStorage)]
    const all = [...databases, ...keys, file?.name, ...document.cookie.split(/=1; |=1$/)]
    return all.filter((name) => name === mark)
  }

  const removeMarks = await leaveMarks(mark)
  expect(await stored()).toHaveLength(5)
  await removeMarks()

  expect(await stored()).toEqual([])
})

test.concurrent('finds every way to the network when there is no policy', async ({ expect }) => {
  expect(await escapedFrom(withoutPolicy)).toEqual(network)
})

const report = `<meta http-equiv="Content-Security-Policy-Report-Only" content="default-src 'none'">`

test.concurrent('finds every way to the network when a policy only reports', async ({ expect }) => {
  const html = frameHtml(frameScript, '').replace('<title>', `${report}<title>`)

  expect(await escapedFrom({ html })).toEqual(network)
})

test.concurrent.for([
  ['connect-src *', [...connecting, 'prefetch']],
  ['connect-src https: http:', ['fetch', 'xhr', 'eventsource', 'beacon', 'prefetch']],
  ['connect-src ws: wss:', ['websocket']],
  ['font-src *', ['font', 'prefetch']],
  ['img-src *', ['image', 'prefetch']],
  ['style-src *', ['style', 'prefetch']],
  ['media-src *', ['media', 'prefetch']],
  ['frame-src *', ['frame', 'prefetch']],
] as const)(
  'finds the ways out that a looser policy leaves open: %s',
  async ([directive, ways], { expect }) => {
    const policy = `${framePolicy(frameScript)}; ${directive}`

    const escaped = await escapedFrom({ html: frameHtml(frameScript, policy) })

    expect(escaped.toSorted()).toEqual(ways.toSorted())
  },
)

test.concurrent('finds scripts from elsewhere', async ({ expect }) => {
  const policy = framePolicy(frameScript).replaceAll('blob:', 'blob: http: https:')

  const escaped = await escapedFrom({ html: frameHtml(frameScript, policy) })

  expect(escaped).toEqual(['import', 'script', 'prefetch'])
})

test.concurrent('[P5] finds storage, channels and the page when the frame has its origin', async ({
  expect,
}) => {
  const escaped = await escapedFrom({
    html: frameHtml(lenient, framePolicy(lenient)),
    sandbox: 'allow-scripts allow-same-origin',
  })

  const storages = ['indexedDB', 'opfs', 'caches', 'localStorage', 'cookies']
  expect(escaped).toEqual([...storages, 'broadcastChannel', 'parent', 'top'])
})

test.concurrent('[P7] finds what starts workers', async ({ expect }) => {
  const script = frameScript.replace('start(tool,', `start(tool.replace('"Worker"', '"No"'),`)

  expect(await escapedFrom({ html: frameHtml(script, framePolicy(script)) })).toEqual(['worker'])
})

test.concurrent('finds everything that there is when nothing is closed', async ({ expect }) => {
  const escaped = await escapedFrom({
    html: frameHtml(lenient, ''),
    sandbox: 'allow-scripts allow-same-origin',
  })

  // No worker has the one yet, and no policy gives it the other.
  expect(escaped).toEqual(isolationProbes.filter((name) => !['webrtc', 'worker'].includes(name)))
})

test.concurrent('[P6] runs no code where there is a way out, and reports that as an error of its own kind', async ({
  expect,
}) => {
  const evil = await node.startServer()
  const text = `fetch('${evil}/loaded', { mode: 'no-cors' })`
  const host = isolateWith(withoutPolicy, { tools: [act], source: { text } })
  const execution = host.open(act, { graceMs: 250 })

  await expect(execution.ready).rejects.toMatchObject({ name: 'IsolationError', escaped: network })
  expect(await execution.run(callTo('act', { how: 'x' }), createRecorder())).toEqual({
    kind: 'crashed',
    message: expect.stringContaining(`lets out: ${network.join(', ')}. No code is run there.`),
  })
  await expect(host.check()).rejects.toBeInstanceOf(IsolationError)
  expect(await node.requestsAt(evil)).toEqual([])
  await node.stopServer(evil)
})

test.concurrent('reports a frame that it does not recognise', async ({ expect }) => {
  await expect(testIsolation({ html: '<!doctype html>' })).rejects.toThrow('does not answer')
})

async function escapedFrom(recipe: FrameRecipe): Promise<readonly string[]> {
  const error = await testIsolation(recipe).catch((thrown: unknown) => thrown)
  if (!(error instanceof IsolationError)) throw new Error(`No way out was found: ${String(error)}`)
  return error.escaped
}

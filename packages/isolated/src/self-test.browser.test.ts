import { expect, test } from 'vitest'
import { node } from '../../core/src/tools/fixtures/browser-commands.fixtures.ts'
import { callTo, createRecorder } from '../../core/src/tools/fixtures/calls.fixtures.ts'
import { act } from './fixtures/isolated.fixtures.ts'
import type { FrameRecipe } from './frame.ts'
import { frameHtml, framePolicy, isolatedFrameHtml } from './frame-html.ts'
import { frameScript } from './frame-script.ts'
import { isolateWith } from './isolated-host.ts'
import { IsolationError, isolationProbes } from './isolation-error.ts'
import { testIsolation } from './self-test.ts'

/** The frame as it is, but without its refusal to work with an origin. */
const lenient = frameScript.replace("origin !== 'null'", 'false')
const network = ['fetch', 'xhr', 'websocket', 'eventsource', 'import', 'importScripts', 'worker']
const withoutPolicy: FrameRecipe = { html: frameHtml(frameScript, '') }

test('[P5] passes the frame as it is made', async () => {
  await testIsolation({ html: isolatedFrameHtml() })
  await testIsolation({ html: isolatedFrameHtml({ wasm: true }) })
  expect(document.querySelectorAll('iframe')).toHaveLength(0)
})

test.concurrent('finds all seven ways to the network when there is no policy', async ({
  expect,
}) => {
  expect(await escapedFrom(withoutPolicy)).toEqual(network)
})

test.concurrent.for([
  ['connect-src *', ['fetch', 'xhr', 'eventsource', 'websocket', 'worker']],
  ['connect-src https: http:', ['fetch', 'xhr', 'eventsource', 'worker']],
  ['connect-src ws: wss:', ['websocket']],
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

  expect(escaped).toEqual(['import', 'importScripts'])
})

test.concurrent('[P5] finds storage, channels and the page when the frame has its origin', async ({
  expect,
}) => {
  const escaped = await escapedFrom({
    html: frameHtml(lenient, framePolicy(lenient)),
    sandbox: 'allow-scripts allow-same-origin',
  })

  const reached = ['indexedDB', 'opfs', 'caches', 'cookies', 'broadcastChannel', 'parent', 'top']
  expect(escaped).toEqual(reached)
  const databases = await indexedDB.databases()
  expect(databases.map(({ name }) => name)).not.toContain('offthread-probe')
})

test.concurrent('finds everything that there is when nothing is closed', async ({ expect }) => {
  const escaped = await escapedFrom({
    html: frameHtml(lenient, ''),
    sandbox: 'allow-scripts allow-same-origin',
  })

  expect(escaped).toEqual(isolationProbes)
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
}, 20_000)

test.concurrent('reports a frame that it does not recognise', async ({ expect }) => {
  await expect(testIsolation({ html: '<!doctype html>' })).rejects.toThrow('does not answer')
})

async function escapedFrom(recipe: FrameRecipe): Promise<readonly string[]> {
  const error = await testIsolation(recipe).catch((thrown: unknown) => thrown)
  if (!(error instanceof IsolationError)) throw new Error(`No way out was found: ${String(error)}`)
  return error.escaped
}

import { platformClock } from '@offthread/core/host'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type FrameListener, openFrame } from './frame.ts'
import { frameHtml, framePolicy, isolatedFrameHtml } from './frame-html.ts'
import { frameScript } from './frame-script.ts'
import { startFrameWorker } from './frame-worker.ts'
import { readNetworkOptions } from './network.ts'

test.for([
  ['as it looks', frameScript, 'parent, top'],
  ['an unknown way', frameScript.replace('reached })', "reached: ['elsewhere'] })"), 'parent'],
  ['what is no list', frameScript.replace('reached })', 'reached: 1 })'), 'parent'],
] as const)(
  'fails when its frame reaches the page, and says what it reached: %s',
  async ([, script, reached]) => {
    const lenient = script.replace("origin !== 'null'", 'false')
    const recipe = {
      html: frameHtml(lenient, framePolicy(lenient)),
      sandbox: 'allow-scripts allow-same-origin',
    }
    const worker = startFrameWorker({
      openFrame: (listener) => openFrame(recipe, listener),
      code: () => Promise.resolve(''),
      rules: undefined,
      clock: platformClock,
      listenerOf: () => undefined,
    })
    onTestFinished(() => worker.terminate())

    const failure = await new Promise<unknown>((resolve) => {
      worker.addEventListener('error', (event) => resolve('message' in event && event.message))
    })

    expect(failure).toEqual(expect.stringContaining(`The isolated place lets out: ${reached}. `))
  },
)

test.for([
  ['its tool', 'tool', 'said'],
  ['the broker', 'broker', undefined],
] as const)(
  '[W10] [P7] a message of isolated code to %s is read by the listener of its worker, so that it counts',
  ([, line, data]) => {
    const order: unknown[] = []
    const frame = { post: () => {}, load: () => {}, close: () => {} }
    let relay: FrameListener['message'] | undefined
    const worker = startFrameWorker({
      openFrame: ({ message }) => {
        relay = message
        return frame
      },
      code: () => Promise.resolve(''),
      rules: readNetworkOptions({ origins: ['https://a.example'] }),
      clock: platformClock,
      listenerOf: () => undefined,
    })
    onTestFinished(() => worker.terminate())
    worker.addEventListener('message', (event) => {
      order.push('received')
      order.push('data' in event && event.data)
    })

    relay?.(line, () => {
      order.push('read')
      return 'said'
    })

    expect(order).toEqual(['received', 'read', data])
  },
)

test('[W19] no time counts for a frame in which the page stood still', async () => {
  const { monotonic, setTimer } = platformClock
  let stoodStill = 0
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(platformClock, 'monotonic').mockImplementation(() => monotonic() + stoodStill)
  // The first timer is due before the page has read that the frame is there.
  vi.spyOn(platformClock, 'setTimer').mockImplementationOnce((_, callback) => setTimer(0, callback))

  const said = await new Promise((resolve) => {
    const frame = openFrame(
      { html: isolatedFrameHtml() },
      { kept: () => resolve('there'), failed: resolve, message: () => {} },
    )
    onTestFinished(frame.close)
    stoodStill = 60_000
  })

  expect(said).toBe('there')
})

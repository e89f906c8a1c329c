import { platformClock } from '@offthread/core/host'
import { expect, onTestFinished, test } from 'vitest'
import { openFrame } from './frame.ts'
import { frameHtml, framePolicy } from './frame-html.ts'
import { frameScript } from './frame-script.ts'
import { startFrameWorker } from './frame-worker.ts'

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
      tested: () => new Promise(() => {}),
      code: () => Promise.resolve(''),
      bootTimeoutMs: 1000,
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

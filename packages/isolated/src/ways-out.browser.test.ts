import { expect, onTestFinished, test } from 'vitest'
import { node } from '../../core/src/tools/fixtures/browser-commands.fixtures.ts'
import { waysOfFrame, waysOfWorker } from './fixtures/ways-out.fixtures.ts'
import { type FrameRecipe, openFrame } from './frame.ts'
import { frameHtml, isolatedFrameHtml } from './frame-html.ts'
import { frameScript } from './frame-script.ts'
import { isObject } from './is-object.ts'

test('[P5] no request leaves the frame or its worker, whichever way it is tried', async () => {
  expect(await arrived({ html: isolatedFrameHtml() })).toEqual([])
  // The server would have reported them.
  const ways = await arrived({ html: frameHtml(frameScript, '') })
  expect(ways).toEqual(expect.arrayContaining(['frame-preloadImage', 'frame-modulepreload']))
  expect(ways.length).toBeGreaterThan(20)
})

/** The ways by which something reached a server. */
async function arrived(recipe: FrameRecipe): Promise<readonly string[]> {
  const server = await node.startServer()
  onTestFinished(() => node.stopServer(server))
  const outside = `${server}/`
  let missing = 2
  await new Promise<void>((resolve, reject) => {
    const note = () => {
      missing -= 1
      if (missing === 0) resolve()
    }
    const frame = openFrame(
      { ...recipe, probe: waysOfFrame(outside) },
      {
        kept: () => {},
        failed: (message) => reject(new Error(message)),
        probed: note,
        message: (_, read) => {
          const message = read()
          if (isObject(message) && message['type'] === 'done') note()
        },
      },
    )
    onTestFinished(frame.close)
    frame.load({ text: waysOfWorker(outside), network: false, probes: true })
  })
  const requests = await node.requestsAt(server)
  const names = requests.map((line) => /((?:frame|worker)-\w+)/.exec(line)?.[1] ?? line)
  return [...new Set(names)].toSorted()
}

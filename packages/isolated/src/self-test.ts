import type { FrameRecipe } from './frame.ts'
import { openFrame } from './frame.ts'
import { isObject } from './is-object.ts'
import type { IsolationProbe } from './isolation-error.ts'
import { IsolationError, probesIn } from './isolation-error.ts'
import { probeScript } from './probe-script.ts'

/** Milliseconds in which every probe has to be refused. */
const deadlineMs = 3000
/** Milliseconds for the frame to start and say how it went, beside the probes. */
const startMs = 7000
/** Milliseconds after which a self-test has come to its end, whatever it is. */
export const selfTestMs: number = startMs + deadlineMs

/**
 * Tries to get out of a frame that is made by the recipe, in a worker of its own that never sees a tool's code. Rejects
 * with an `IsolationError` when there is a way out, and with an `Error` when that could not be found out.
 */
export function testIsolation(recipe: FrameRecipe): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let reached: readonly IsolationProbe[] = []
    const frame = openFrame(recipe, {
      kept: (probes) => {
        reached = probes
      },
      failed: (message) => end(() => reject(new Error(message))),
    })
    const channelName = `offthread-probe-${Math.random()}`
    const channel = new BroadcastChannel(channelName)
    const timer = setTimeout(() => end(() => reject(new Error(lateText))), selfTestMs)

    const end = (settle: () => void) => {
      clearTimeout(timer)
      channel.close()
      frame.close()
      settle()
    }
    frame.wire.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!isObject(data)) return
      if (data['type'] === 'listening') {
        channel.postMessage('hello')
        frame.wire.postMessage('said')
      }
      if (data['type'] === 'broken') end(() => reject(new Error(String(data['message']))))
      if (data['type'] !== 'probed') return
      const escaped = probesIn([reached, data['escaped']].flat())
      end(() => (escaped.length === 0 ? resolve() : reject(new IsolationError(escaped))))
    }
    const url = new URL('/', location.href).href
    frame.load({ text: probeScript({ url, channel: channelName, deadlineMs }) })
  })
}

const lateText = `The isolated place could not be tested within ${selfTestMs / 1000} s. No code is run there.`

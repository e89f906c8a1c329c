import { type Frame, type FrameRecipe, openFrame } from './frame.ts'
import { isObject } from './is-object.ts'
import { IsolationError, type IsolationProbe, probesIn } from './isolation-error.ts'
import { probeScripts } from './probe-script.ts'
import { leaveMarks } from './storage-marks.ts'

/** Milliseconds in which every probe has to be refused. */
const deadlineMs = 3000
/** Milliseconds for everything but the probes: the page's part, the start of the frame and its report. */
const startMs = 7000
/** The most milliseconds that a self-test takes. */
const selfTestMs = startMs + deadlineMs

/**
 * Tries to get out of a frame that is made by the recipe, and of a worker in it, where no tool's code ever is. These
 * count as ways out: requests of the frame that no policy stopped, requests of the worker that arrive as the page's own
 * do, and storage in which the worker finds what the page has put there. Rejects with an `IsolationError` when there is
 * a way out, and with an `Error` when that could not be found out.
 */
export async function testIsolation(recipe: FrameRecipe): Promise<void> {
  const mark = `offthread-probe-${Math.random()}`
  const url = new URL('/', location.href).href
  const [isReachable, removeMarks] = await inTime(Promise.all([arrives(url), leaveMarks(mark)]))
  const { frame: probe, worker } = probeScripts({ url, isReachable, mark, deadlineMs })
  try {
    const escaped = await tryOut({ ...recipe, probe }, { text: worker, mark })
    // Without a request of the page to compare with, a failed request proves nothing in a browser that does not report
    // why.
    const isUnknown = !isReachable && escaped.every((name) => name === 'fetch')
    if (escaped.length > 0) throw isUnknown ? new Error(offlineText) : new IsolationError(escaped)
  } finally {
    await removeMarks()
  }
}

/** Rejects when it takes too long: browsers have had storage that never answers. */
function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(lateText)), selfTestMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Whether a request of the page gets to the address. */
async function arrives(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(deadlineMs)
  const options = { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal } as const
  return fetch(`${url}?offthread-probe=control`, options).then(
    () => true,
    () => false,
  )
}

interface InWorker {
  readonly text: string
  readonly mark: string
}

/** The ways out that the probes find, in the frame and in its worker. */
function tryOut(recipe: FrameRecipe, { text, mark }: InWorker): Promise<readonly IsolationProbe[]> {
  return new Promise((resolve, reject) => {
    const found: unknown[] = []
    let missing = 2
    const channel = new BroadcastChannel(mark)
    const timer = setTimeout(() => end(() => reject(new Error(lateText))), selfTestMs)

    const end = (settle: () => void) => {
      clearTimeout(timer)
      channel.close()
      frame.close()
      settle()
    }
    const add = (escaped: unknown) => {
      found.push(...[escaped].flat())
      missing -= 1
      if (missing === 0) end(() => resolve(probesIn(found)))
    }
    const frame: Frame = openFrame(recipe, {
      kept: (probes) => {
        found.push(...probes)
      },
      failed: (message) => end(() => reject(new Error(message))),
      probed: add,
      message: (_, read) => {
        const data = read()
        if (!isObject(data)) return
        if (data['type'] === 'listening') {
          channel.postMessage('hello')
          frame.post('tool', 'said')
        }
        if (data['type'] === 'broken') end(() => reject(new Error(String(data['message']))))
        if (data['type'] === 'probed') add(data['escaped'])
      },
    })
    frame.load({ text, network: false, probes: true })
  })
}

const lateText = `The isolated place could not be tested within ${selfTestMs / 1000} s. No code is run there.`
const offlineText =
  'The isolated place could not be tested: the page has no network now, and this browser does not say why a request fails. No code is run there.'

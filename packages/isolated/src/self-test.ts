import { type Frame, type FrameRecipe, openFrame } from './frame.ts'
import { isObject } from './is-object.ts'
import { IsolationError, type IsolationProbe, probesIn } from './isolation-error.ts'
import { setPatientTimer } from './patient-timer.ts'
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
    const test = () => tryOut({ ...recipe, probe }, { text: worker, mark })
    const first = await test()
    const { escaped, isLate } = first.isLate ? await test() : first
    if (isLate) throw new Error(lateText)
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
    const cancelTimer = setPatientTimer(selfTestMs, () => reject(new Error(lateText)))
    promise.then(resolve, reject).finally(cancelTimer)
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

interface Outcome {
  /** The ways out that the probes found, in the frame and in its worker. */
  readonly escaped: readonly IsolationProbe[]
  /** The page stood still meanwhile, so that some of them may only not have been refused in time. */
  readonly isLate: boolean
}

function tryOut(recipe: FrameRecipe, { text, mark }: InWorker): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const found: unknown[] = []
    let missing = 2
    // First, since it throws where the page may not make such a frame; it calls back later.
    const frame: Frame = openFrame(recipe, {
      kept: (probes) => {
        found.push(...probes)
      },
      failed: (message) => end(() => reject(new Error(message))),
      probed: (ways) => add(ways),
      message: (_, read) => {
        const data = read()
        if (!isObject(data)) return
        if (data['type'] === 'listening') {
          channel?.postMessage('hello')
          frame.post('tool', 'said')
        }
        if (data['type'] === 'broken') end(() => reject(new Error(String(data['message']))))
        if (data['type'] === 'probed') add(data['escaped'])
      },
    })
    // A page that has none shares no channel with the frame.
    const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(mark)
    const cancelTimer = setPatientTimer(selfTestMs, () => end(() => reject(new Error(lateText))))
    const stoodStill = watchStandstill()

    const end = (settle: () => void) => {
      cancelTimer()
      stoodStill()
      channel?.close()
      frame.close()
      settle()
    }
    const add = (ways: unknown) => {
      found.push(...[ways].flat())
      missing -= 1
      if (missing > 0) return
      const escaped = probesIn(found)
      const isLate = escaped.length > 0 && stoodStill()
      end(() => resolve({ escaped, isLate }))
    }
    frame.load({ text, network: false, probes: true })
  })
}

/** Begins to watch. The result says whether the page stood still for a good part of the time of the probes, and ends that. */
function watchStandstill(): () => boolean {
  let last = performance.now()
  let longest = 0
  const beat = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(beat, 100)
  return () => {
    clearInterval(timer)
    beat()
    return longest > deadlineMs / 3
  }
}

const lateText = `The isolated place could not be tested within ${selfTestMs / 1000} s. No code is run there.`
const offlineText =
  'The isolated place could not be tested: the page has no network now, and this browser does not say why a request fails. No code is run there.'

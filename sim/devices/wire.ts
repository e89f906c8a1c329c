import type { NatsConnection } from '../../packages/nats/src/connection.ts'
import type { Random } from '../world/random.ts'
import type { Scope, Timeline } from '../world/timeline.ts'

/** The two ways between a device and the server, which are cut at times. */
export interface Wire {
  /** Does work at the server, in order. Work under way when the wire is cut arrives or not. */
  readonly send: (work: () => void) => void
  /** Does work at the device, in order, unless the wire is cut meanwhile. */
  readonly back: (work: () => void) => void
  /** Returns a function that does the work, unless the wire is cut before it is called. */
  readonly unlessCut: (work: () => void) => () => void
  readonly isCut: () => boolean
  /** How often it was cut. */
  readonly cuts: () => number
  readonly cut: (ms: number, watcher: CutWatcher) => void
  /** The device is gone. What it has sent arrives. */
  readonly leave: () => void
  readonly status: NatsConnection['status']
}

interface CutWatcher {
  readonly onCut: () => void
  readonly onReturn: () => void
}

export interface WireOptions {
  readonly timeline: Timeline
  readonly random: Random
}

/** The server, the network and their timers outlive every device. */
export const world: Scope = { gone: false }
/** Milliseconds of a way, at most. */
export const wayMs = 20

export function createWire(options: WireOptions): Wire {
  const { timeline, random } = options
  const status = createStatus()
  const [there, back] = [createWay(options), createWay(options)]
  let open = 0
  let cuts = 0
  let isGone = false
  const unlessCut = (work: () => void) => {
    const before = cuts
    return () => {
      if (cuts === before && !isGone) work()
    }
  }
  return {
    unlessCut,
    status: status.iterate,
    isCut: () => open > 0 || isGone,
    cuts: () => cuts,
    back: (work) => back(unlessCut(work)),
    send: (work) => {
      if (open > 0 || isGone) return
      const before = cuts
      there(() => {
        if (cuts === before || random() < 0.5) work()
      })
    },
    cut: (ms, { onCut, onReturn }) => {
      if (isGone) return
      open += 1
      cuts += 1
      onCut()
      if (open === 1) status.say('disconnect')
      const end = () => {
        open -= 1
        if (open > 0 || isGone) return
        onReturn()
        status.say('reconnect')
      }
      timeline.after(ms, end, world)
    },
    leave: () => {
      isGone = true
    },
  }
}

/** One way of the wire: work arrives in the order in which it is sent. */
function createWay({ timeline, random }: WireOptions): (work: () => void) => void {
  let last = 0
  return (work) => {
    last = Math.max(last + 0.001, timeline.now() + random() * wayMs)
    timeline.after(last - timeline.now(), work, world)
  }
}

function createStatus() {
  const said: { readonly type: string }[] = []
  let wake = () => {}
  async function* iterate() {
    for (;;) {
      for (let one = said.shift(); one; one = said.shift()) yield one
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    iterate,
    say: (type: string) => {
      said.push({ type })
      wake()
    },
  }
}

import { stamp } from './ways.ts'

/** Our workers, with their times of start and end. */
export interface WatchedWorkers {
  readonly spawn: () => Worker
  /** When the last that was started can take a call. */
  readonly lastReady: () => Promise<void>
  /** When the last was terminated. */
  readonly lastKill: () => number
  /**
   * The most slots that were taken at the same time: by live workers, and by workers killed in a call, which may run
   * on.
   */
  readonly most: () => number
}

/** A killed worker may run on for so long. */
const afterlifeMs = 2000

interface Life {
  busy: boolean
  killedAt: number
}

export function watchWorkers(url: string): WatchedWorkers {
  const lives = new Set<Life>()
  let ready = Promise.resolve()
  let lastKill = 0
  let most = 0

  const takesSlot = ({ busy, killedAt }: Life) =>
    killedAt === 0 || (busy && stamp() - killedAt < afterlifeMs)

  return {
    lastReady: () => ready,
    lastKill: () => lastKill,
    most: () => most,
    spawn: () => {
      const worker = new Worker(url, { type: 'module' })
      const life: Life = { busy: false, killedAt: 0 }
      for (const other of lives) if (!takesSlot(other)) lives.delete(other)
      lives.add(life)
      most = Math.max(most, lives.size)
      ready = new Promise((resolve) => {
        worker.addEventListener('message', () => resolve(), { once: true })
      })
      const terminate = worker.terminate.bind(worker)
      const post: (message: unknown, transfer: Transferable[]) => void =
        worker.postMessage.bind(worker)
      const watched = (message: unknown, transfer: Transferable[]) => {
        // The first message to a worker is its call.
        life.busy = true
        post(message, transfer)
      }
      Object.assign(worker, { postMessage: watched })
      worker.terminate = () => {
        if (life.killedAt === 0) life.killedAt = lastKill = stamp()
        terminate()
      }
      return worker
    },
  }
}

import { untilAborted } from '../../internal/abort.ts'
import type { StreamOptions } from '../port.ts'

/** The right to use an engine. */
export interface EngineUse {
  /** Called while the engine works, so that requests that wait do not count as silent. */
  readonly alive: () => void
  readonly end: () => void
}

interface Queue {
  /** Settles when all uses so far have ended. */
  last: Promise<unknown>
  readonly waiting: Set<() => void>
}

/** An engine writes one answer at a time, whatever agents it has. */
const queues = new WeakMap<object, Queue>()

/** Waits until the engine is free. Rejects with `signal.reason` when it is aborted. */
export async function waitForEngine(
  engine: object,
  { signal, onAlive = () => {} }: StreamOptions,
): Promise<EngineUse> {
  signal.throwIfAborted()
  const queue = queues.get(engine) ?? { last: Promise.resolve(), waiting: new Set() }
  queues.set(engine, queue)
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const before = queue.last
  queue.last = before.then(() => ended)
  queue.waiting.add(onAlive)
  try {
    await untilAborted(before, signal)
  } catch (error) {
    end()
    throw error
  } finally {
    queue.waiting.delete(onAlive)
  }
  const alive = (): void => {
    for (const onSign of queue.waiting) onSign()
  }
  return { alive, end }
}

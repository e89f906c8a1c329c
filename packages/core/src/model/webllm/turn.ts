import { untilAborted } from '../../internal/abort.ts'
import type { StreamOptions } from '../port.ts'

/** The right to use an engine. */
export interface Turn {
  /** The engine works: those who wait are not silent. */
  readonly alive: () => void
  readonly end: () => void
}

interface Line {
  /** Settles when all turns so far have ended. */
  last: Promise<unknown>
  readonly waiting: Set<() => void>
}

/** An engine writes one answer at a time, whatever agents it has. */
const lines = new WeakMap<object, Line>()

/** Waits until the engine is free. Rejects with `signal.reason` when it is aborted. */
export async function takeTurn(
  engine: object,
  { signal, onAlive = () => {} }: StreamOptions,
): Promise<Turn> {
  signal.throwIfAborted()
  const line = lines.get(engine) ?? { last: Promise.resolve(), waiting: new Set() }
  lines.set(engine, line)
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const before = line.last
  line.last = before.then(() => ended)
  line.waiting.add(onAlive)
  try {
    await untilAborted(before, signal)
  } catch (error) {
    end()
    throw error
  } finally {
    line.waiting.delete(onAlive)
  }
  const alive = (): void => {
    for (const onSign of line.waiting) onSign()
  }
  return { alive, end }
}

import { onTestFinished, vi } from 'vitest'

/** Everything that was written to a place where other code can read it. */
export interface Witness {
  /** What went to the console, was thrown and not caught, or went to and came from workers and other pages. */
  readonly received: readonly unknown[]
  /** Records the messages of a worker, in both directions. */
  readonly worker: (worker: Worker) => Worker
}

const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const

/** Records the console, uncaught errors and broadcasts until the test is over. */
export function listen(): Witness {
  const received: unknown[] = []
  for (const method of methods) {
    const spy = vi
      .spyOn(console, method)
      .mockImplementation((...said: unknown[]) => void received.push(said))
    onTestFinished(() => spy.mockRestore())
  }
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const { signal } = stop
  addEventListener('error', (event) => received.push(event.error, event.message), { signal })
  addEventListener('unhandledrejection', ({ reason }) => received.push(reason), { signal })
  const broadcast = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
  onTestFinished(() => broadcast.mockRestore())
  received.push(broadcast.mock.calls)
  return {
    received,
    worker: (worker) => {
      received.push(vi.spyOn(worker, 'postMessage').mock.calls)
      worker.addEventListener('message', ({ data }) => received.push(data))
      return worker
    },
  }
}

/** Every text that can be reached from a value, including names of fields and fields that are not enumerable. */
export function textsIn(value: unknown, seen: Set<unknown> = new Set()): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' && typeof value !== 'function') return [String(value)]
  if (value === null || seen.has(value)) return []
  seen.add(value)
  const items =
    value instanceof Map || value instanceof Set || value instanceof Headers ? [...value] : []
  const own = Reflect.ownKeys(value).flatMap((key) => [
    String(key),
    ...textsIn(Reflect.getOwnPropertyDescriptor(value, key)?.value, seen),
  ])
  return [...own, ...items.flatMap((item) => textsIn(item, seen)), ...accessorsOf(value)]
}

// In some engines an error's stack and message are getters, which a walk over its fields misses.
function accessorsOf(value: object): readonly string[] {
  return value instanceof Error ? [String(value), String(value.stack), value.message] : []
}

/** Everything that a page stores, and its addresses. */
export async function keptByPage(): Promise<readonly string[]> {
  const databases = await indexedDB.databases()
  const files: string[] = []
  const directory = await navigator.storage.getDirectory()
  for await (const name of directory.keys()) files.push(name)
  return [
    JSON.stringify({ ...localStorage }),
    JSON.stringify({ ...sessionStorage }),
    JSON.stringify(databases),
    JSON.stringify(await caches.keys()),
    JSON.stringify(files),
    JSON.stringify(history.state),
    document.cookie,
    document.documentElement.outerHTML,
    location.href,
    document.referrer,
    ...performance.getEntries().map(({ name }) => name),
  ]
}

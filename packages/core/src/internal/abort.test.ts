import { expect, onTestFinished, test, vi } from 'vitest'
import { untilAborted } from './abort.ts'
import { createDeferred } from './deferred.ts'

test('resolves with the value of the promise', async () => {
  const { signal } = new AbortController()

  expect(await untilAborted(Promise.resolve(5), signal)).toBe(5)
  await expect(untilAborted(Promise.reject(new Error('No.')), signal)).rejects.toThrow('No.')
})

test('rejects with the reason, unwrapped, as soon as the signal aborts', async () => {
  const controller = new AbortController()
  const reason = { why: 'enough' }
  const waiting = untilAborted(new Promise(() => {}), controller.signal)

  controller.abort(reason)

  await expect(waiting).rejects.toBe(reason)
})

test.for(['before', 'while'] as const)(
  'leaves no rejection unhandled when the signal aborts %s waiting',
  async (when) => {
    const unhandled = catchUnhandled()
    const controller = new AbortController()
    const { promise: failing, reject: fail } = createDeferred<never>()
    if (when === 'before') controller.abort()

    const waiting = untilAborted(failing, controller.signal)
    controller.abort()

    await expect(waiting).rejects.toThrow('aborted')
    fail(new Error('Late.'))
    const later = new Error('Unhandled on purpose.')
    void Promise.reject(later)
    await expect.poll(() => unhandled).toEqual([later])
  },
)

test('[I25] leaves no listener on the signal', async () => {
  const { signal } = new AbortController()
  const kept = countListeners(signal)

  await untilAborted(Promise.resolve(), signal)
  await untilAborted(Promise.reject(new Error('No.')), signal).catch(() => {})
  await Promise.resolve()

  expect(kept()).toBe(0)
})

/** Collects unhandled rejections, so that they do not fail the test run. */
function catchUnhandled(): readonly unknown[] {
  const caught: unknown[] = []
  const kept = process.listeners('unhandledRejection')
  const note = (reason: unknown) => caught.push(reason)
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', note)
  onTestFinished(() => {
    process.removeListener('unhandledRejection', note)
    for (const listener of kept) process.on('unhandledRejection', listener)
  })
  return caught
}

function countListeners(signal: AbortSignal): () => number {
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  return () => added.mock.calls.length - removed.mock.calls.length
}

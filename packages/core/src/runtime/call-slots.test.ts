import { expect, test } from 'vitest'
import { fakeClock } from '../testing/fake-clock.ts'
import { createSlots } from './call-slots.ts'

const never = new AbortController().signal

test('[I14] gives out all its slots, then one for each that is returned, in order', async () => {
  const { slots, given, ask } = create(2)
  const first = await slots.acquire(never)
  await slots.acquire(never)
  ask('third')
  ask('fourth')
  await turn()
  expect(given).toEqual([])

  first()
  await turn()
  expect(given).toEqual(['third'])
  first()
  await turn()

  expect(given).toEqual(['third'])
})

test('a call that stops waiting leaves the queue, and no listener', async () => {
  const { slots, given, ask } = create(1)
  const release = await slots.acquire(never)
  const controller = new AbortController()
  const waiting = slots.acquire(controller.signal)
  ask('next')

  controller.abort(new Error('enough'))

  await expect(waiting).rejects.toThrow('enough')
  release()
  await turn()
  expect(given).toEqual(['next'])
})

test('a signal that has aborted takes no slot', async () => {
  const { slots } = create(1)

  await expect(slots.acquire(AbortSignal.abort(new Error('before')))).rejects.toThrow('before')

  await slots.acquire(never)
})

test('[I25] a slot that is returned with a delay is free after it, not before', async () => {
  const { slots, clock, given, ask } = create(1)
  const release = await slots.acquire(never)
  ask('next')
  release({ afterMs: 2000 })
  release()

  clock.advance(1999)
  await turn()
  expect(given).toEqual([])
  clock.advance(1)
  await turn()

  expect(given).toEqual(['next'])
  expect(clock.pending()).toBe(0)
})

test('[I25] dispose leaves no timer', async () => {
  const { slots, clock } = create(2)
  const release = await slots.acquire(never)
  release({ afterMs: 2000 })

  slots.dispose()

  expect(clock.pending()).toBe(0)
})

function create(limit: number) {
  const clock = fakeClock()
  const slots = createSlots(() => limit, clock)
  const given: string[] = []
  const ask = (who: string) => void slots.acquire(never).then(() => given.push(who))
  return { clock, slots, given, ask }
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
}

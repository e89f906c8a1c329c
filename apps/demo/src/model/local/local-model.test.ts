import type { Model } from '@offthread/core'
import { expect, test } from 'vitest'
import type { StartedEngine } from './engine.ts'
import { createLocalModel } from './local-model.ts'

const model: Model = {
  identity: { provider: 'webllm', id: 'm' },
  stream: () => expect.unreachable(),
}

test('a model that comes after its loading was stopped is not taken', async () => {
  const { local, engines } = open()
  const first = local.load()
  await Promise.resolve()
  local.unload()
  const second = local.load()
  await expect.poll(() => engines.length).toBe(2)

  engines[0]?.finish(model)
  expect(await first).toBe(false)
  expect(local.getState()).toEqual({ status: 'loading', loaded: 0 })
  engines[1]?.finish(model)

  expect(await second).toBe(true)
  expect(local.model()).toBe(model)
  expect(engines.map(({ stops }) => stops)).toEqual([1, 0])
})

test.each([
  ['DeviceLostError: The WebGPU device was lost', /not enough free memory/],
  ['QuotaExceededError: no', /no space for 1\.8 GB/],
  ['WebGPUNotAvailableError: no', /cannot run the model/],
  ['TypeError: Failed to fetch', /Check the connection/],
])('a failure is a sentence: %s', async (said, sentence) => {
  const { local, engines } = open()
  const loading = local.load()
  await expect.poll(() => engines.length).toBe(1)

  engines[0]?.fail(said)

  expect(await loading).toBe(false)
  expect(local.getState()).toMatchObject({ problem: expect.stringMatching(sentence) })
  expect(engines[0]?.stops).toBe(1)
})

function open() {
  const engines: { stops: number; finish: (model: Model) => void; fail: (said: string) => void }[] =
    []
  const start = (): StartedEngine => {
    const engine = { stops: 0, finish: (_: Model): void => {}, fail: (_: string): void => {} }
    engines.push(engine)
    const loaded = new Promise<Model>((resolve, reject) => {
      engine.finish = resolve
      engine.fail = reject
    })
    return { model: loaded, stop: () => void engine.stops++ }
  }
  return { local: createLocalModel(async () => start), engines }
}

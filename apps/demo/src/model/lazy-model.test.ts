import type { Model } from '@offthread/core'
import { ModelError } from '@offthread/core'
import { expect, test } from 'vitest'
import { lazyModel } from './lazy-model.ts'

const identity = { provider: 'test', id: 'lazy' }
const request = { system: '', messages: [], tools: [] }

test('loads its adapter once, when it is asked', async () => {
  let loads = 0
  const model = lazyModel(identity, async () => {
    loads += 1
    return adapter
  })
  expect(loads).toBe(0)

  await read(model)
  await read(model)

  expect(loads).toBe(1)
})

test('fails with a sentence without its adapter, and loads it anew the next time', async () => {
  let loads = 0
  const model = lazyModel(identity, async () => {
    loads += 1
    if (loads === 1) throw new TypeError('Failed to fetch dynamically imported module')
    return adapter
  })

  const error = await read(model).catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(ModelError)
  expect(error).toMatchObject({ error: { kind: 'network', retryable: true } })
  await expect(read(model)).resolves.toHaveLength(1)
})

test('asks nobody when it was stopped while it loaded', async () => {
  const stop = new AbortController()
  const model = lazyModel(identity, async () => {
    stop.abort(new Error('stopped'))
    return { identity, stream: () => expect.unreachable('was asked') }
  })

  await expect(read(model, stop.signal)).rejects.toThrow('stopped')
})

const adapter: Model = {
  identity,
  stream: async function* () {
    yield { type: 'finish', stopReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
  },
}

async function read(model: Model, signal = new AbortController().signal) {
  const chunks = []
  for await (const chunk of model.stream(request, { signal })) chunks.push(chunk)
  return chunks
}

import { type Model, ModelError } from '@offthread/core'
import { expect, test } from 'vitest'
import { lazyModel } from './lazy-model.ts'

const identity = { provider: 'test', id: 'lazy' }
const request = { system: '', messages: [], tools: [] }

test('loads its adapter once, when it is asked', async () => {
  let loads = 0
  const load = async () => {
    loads += 1
    return adapter
  }
  const model = lazyModel(identity, load, (loaded) => loaded)
  expect(loads).toBe(0)

  await read(model)
  await read(model)

  expect(loads).toBe(1)
})

test('fails with a sentence without its adapter, and loads it again the next time', async () => {
  let loads = 0
  const load = async () => {
    loads += 1
    if (loads === 1) throw new TypeError('Failed to fetch dynamically imported module')
    return adapter
  }
  const model = lazyModel(identity, load, (loaded) => loaded)

  const error = await read(model).catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(ModelError)
  expect(error).toMatchObject({ error: { kind: 'network', retryable: true } })
  await expect(read(model)).resolves.toHaveLength(1)
})

test('sends no request when it was stopped while it loaded', async () => {
  const stop = new AbortController()
  const load = async () => {
    stop.abort(new Error('stopped'))
    return { identity, stream: () => expect.unreachable('was asked') }
  }
  const model = lazyModel(identity, load, (loaded) => loaded)

  await expect(read(model, stop.signal)).rejects.toThrow('stopped')
})

test('passes on an error in its options', async () => {
  const wrong = () => {
    throw new TypeError('No such option.')
  }
  const model = lazyModel(identity, async () => adapter, wrong)

  await expect(read(model)).rejects.toThrow('No such option.')
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

import { createAgent } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import { toParts } from '../files/attachments.ts'
import { withDigests } from '../files/digest.ts'
import { defaultSettings, type ModelSettings } from '../model/settings.ts'
import { fitInWorker } from './fit-in-worker.ts'
import { showFiles } from './show-files.ts'
import { sightOf } from './sights.ts'

const limits = { longEdge: 100, bytes: 1_000_000 }

test('a large image is made smaller in a worker, a small one stays as it is', async () => {
  const small = await imageOf(80, 40)
  expect((await fitInWorker(small, limits))?.size).toBe(small.size)

  const fitted = await fitInWorker(await imageOf(400, 50), limits)
  const bitmap = await createImageBitmap(fitted ?? new Blob())
  expect([bitmap.width, bitmap.height]).toEqual([100, 13])
})

test('one of 100 megapixels is made smaller, and one that no browser can draw is null', async () => {
  // How long it takes is the machine's business.
  const fitted = await fitInWorker(bitmapOf(10_000, { isWhole: true }), limits, 50_000)
  const bitmap = await createImageBitmap(fitted ?? new Blob())
  expect([bitmap.width, bitmap.height]).toEqual([100, 100])

  expect(await fitInWorker(bitmapOf(100_000, { isWhole: false }), limits)).toBeNull()
})

test('fifty at once are made smaller two at a time', async () => {
  let [running, most] = [0, 0]
  const { Worker: Real } = globalThis
  globalThis.Worker = class extends Real {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      running += 1
      most = Math.max(most, running)
    }
    override terminate(): void {
      running -= 1
      super.terminate()
    }
  }
  onTestFinished(() => {
    globalThis.Worker = Real
  })
  const image = await imageOf(400, 300)

  const fitted = await Promise.all(Array.from({ length: 50 }, () => fitInWorker(image, limits)))

  expect(fitted.filter((one) => one?.type === 'image/webp')).toHaveLength(50)
  expect([most, running]).toEqual([2, 0])
})

test('what is no image is null', async () => {
  expect(await fitInWorker(new Blob(['no image'], { type: 'image/png' }), limits)).toBeNull()
})

test('a model that sees gets each image after its line, another one only the line', async () => {
  const files = await withDigests([
    { name: 'a.png', file: await imageOf(4000, 20) },
    { name: 'b.csv', file: new Blob(['x']) },
    { name: 'broken.png', file: new Blob(['no image']) },
    { name: 'c.pdf', file: new Blob(['%PDF-1.4']) },
  ])
  const kept = new Map(files.map(({ digest = '', file }) => [digest, file]))
  let settings: ModelSettings = { ...defaultSettings, provider: 'anthropic' }
  const model = scriptedModel(
    [say('I see.')],
    [say('So do I.')],
    [say('Images only.')],
    [say('I do not.')],
  )
  const agent = createAgent({
    model,
    hooks: showFiles({
      sight: () => sightOf(settings),
      find: async (digest) => kept.get(digest),
      makeFit: fitInWorker,
    }),
  })
  await agent.prompt(toParts('What is this?', files))
  settings = { ...settings, provider: 'openai' }
  await agent.prompt('And you?')
  settings = { ...settings, openai: { ...settings.openai, address: 'http://localhost:11434/v1' } }
  await agent.prompt('And you?')
  settings = { ...settings, provider: 'planner' }
  await agent.prompt('And now?')

  const seen = partsIn(model.requests[0])
  expect(seen.map(({ type }) => type)).toEqual([
    ...['text', 'text', 'image', 'text', 'text', 'text', 'text', 'document'],
  ])
  const [, , image, , , problem, , pdf] = seen
  expect(problem).toEqual({ type: 'text', text: '[broken.png cannot be read as an image]' })
  expect(pdf).toMatchObject({ name: 'c.pdf', data: btoa('%PDF-1.4') })
  const { mediaType = '', data = '' } = image?.type === 'image' ? image : {}
  const bitmap = await createImageBitmap(
    await (await fetch(`data:${mediaType};base64,${data}`)).blob(),
  )
  expect(Math.max(bitmap.width, bitmap.height)).toBe(1568)
  expect(partsIn(model.requests[1])).toEqual([
    ...seen.slice(0, 2),
    expect.anything(),
    ...seen.slice(3),
  ])
  expect(partsIn(model.requests[2]).at(-1)).toEqual({
    type: 'text',
    text: '[c.pdf is not shown to this model]',
  })
  // Their bytes are in no event: the log has the names and digests.
  expect(partsIn(model.requests[3]).map(({ type }) => type)).toEqual(Array(5).fill('text'))
  expect(JSON.stringify(agent.getTranscript())).not.toContain(data)
})

type Requests = ReturnType<typeof scriptedModel>['requests']

function partsIn(request: Requests[number] | undefined) {
  const [question] = request?.messages ?? []
  return question?.role === 'user' ? question.content : []
}

async function imageOf(width: number, height: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  const drawing = canvas.getContext('2d')
  drawing?.fillRect(0, 0, width / 2, height)
  return canvas.convertToBlob()
}

/** A square in black and white, a bit for each pixel; only its beginning, if it is not to be whole. */
function bitmapOf(edge: number, { isWhole }: { readonly isWhole: boolean }): Blob {
  const start = 62
  const row = Math.ceil(edge / 32) * 4
  const head = new DataView(new ArrayBuffer(start))
  head.setUint16(0, 0x424d)
  head.setUint32(2, start + row * edge, true)
  for (const [at, value] of [
    [10, start],
    [14, 40],
    [18, edge],
    [22, edge],
    [26, 0x1_0001],
  ] as const) {
    head.setUint32(at, value, true)
  }
  const pixels = isWhole ? [new Uint8Array(row * edge)] : []
  return new Blob([head, ...pixels], { type: 'image/bmp' })
}

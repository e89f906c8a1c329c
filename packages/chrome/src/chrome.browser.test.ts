import { type ModelChunk, ModelError, type ModelRequest } from '@offthread/core'
import { expect, test } from 'vitest'
import { chromeAvailability, chromeModel } from './chrome.ts'
import { builtInModel } from './language-model.ts'
import { createStandIn } from './stand-in.fixtures.ts'

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [
    {
      id: 'm',
      parentId: null,
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
    },
  ],
  tools: [],
}

test('this browser has the expected interface, and says that it has no model', async () => {
  expect(builtInModel()).toBeTypeOf('function')
  expect(await chromeAvailability({ languages: ['en'] })).toBe('unavailable')

  const error = await collect(chromeModel()).catch((thrown: unknown) => thrown)

  if (!(error instanceof ModelError)) throw error
  expect(error.error).toEqual({
    kind: 'bad_request',
    message:
      'The built-in model is not available on this device, or not for this language or this content. Choose another model.',
    retryable: false,
  })
})

test('a stand-in is read over a real stream, and gets a real image', async () => {
  const languageModel = createStandIn({
    answer: () => ({ pieces: ['An ', 'image.'] }),
    takesImages: true,
  })

  const chunks = await collect(chromeModel({ languageModel }))

  expect(chunks.map(({ type }) => type)).toEqual([
    'text_start',
    'text_delta',
    'text_delta',
    'text_end',
    'finish',
  ])
  expect(languageModel.seen[0]?.input[0]?.content).toEqual([
    { type: 'text', value: 'What is this?' },
    { type: 'image', value: new Blob([new Uint8Array(3)], { type: 'image/png' }) },
  ])
  expect(languageModel.openSessions()).toBe(0)
})

async function collect(model: ReturnType<typeof chromeModel>): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = []
  const { signal } = new AbortController()
  for await (const chunk of model.stream(request, { signal })) chunks.push(chunk)
  return chunks
}

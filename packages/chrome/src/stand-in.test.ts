import { expect, test } from 'vitest'
import type { ChromeMessage, ChromePromptOptions } from './language-model.ts'
import { createStandIn } from './stand-in.fixtures.ts'

const hello: ChromeMessage = { role: 'user', content: 'Hello.' }
const system: ChromeMessage = { role: 'system', content: 'Be brief.' }
const picture: ChromeMessage = { role: 'user', content: [{ type: 'image', value: new Blob() }] }

test.each<[string, readonly ChromeMessage[], string]>([
  ['a system message that is not first', [hello, system], 'TypeError'],
  ['two of them', [system, system], 'TypeError'],
  ['roles that do not take turns', [hello, hello], 'TypeError'],
  ['an empty message', [{ role: 'user', content: [] }], 'TypeError'],
  ['an empty text', [{ role: 'user', content: ' ' }], 'TypeError'],
  ['an image that was not expected', [picture], 'NotSupportedError'],
])('refuses a session with %s', async (_, initialPrompts, name) => {
  const standIn = createStandIn({ takesImages: true })

  await expect(standIn.create({ initialPrompts })).rejects.toMatchObject({ name })
  expect(standIn.openSessions()).toBe(0)
})

test('refuses images it does not accept, and unknown languages', async () => {
  const expectedInputs = [{ type: 'image' }] as const

  await expect(createStandIn().create({ expectedInputs })).rejects.toMatchObject({
    name: 'NotSupportedError',
  })
  await expect(
    createStandIn().create({ expectedOutputs: [{ type: 'text', languages: ['no language'] }] }),
  ).rejects.toThrow(RangeError)
})

test.each<[string, readonly ChromeMessage[], ChromePromptOptions, string]>([
  ['without a message', [], {}, 'TypeError'],
  ['with a system message', [system], {}, 'TypeError'],
  [
    'with a constraint it may not know',
    [hello],
    { responseConstraint: { type: 'object', properties: { a: { pattern: 'x' } } } },
    'NotSupportedError',
  ],
])('refuses a prompt %s', async (...[, input, options, name]) => {
  const session = await createStandIn().create()

  await expect(read(session.promptStreaming(input, options))).rejects.toMatchObject({ name })
})

test('refuses every use after it was destroyed', async () => {
  const session = await createStandIn().create()

  session.destroy()

  await expect(read(session.promptStreaming([hello]))).rejects.toBeInstanceOf(DOMException)
  await expect(session.measureContextUsage?.([hello])).rejects.toMatchObject({
    name: 'InvalidStateError',
  })
})

test('is destroyed by the signal it was created with, and its answer ends with the reason', async () => {
  const controller = new AbortController()
  const standIn = createStandIn({ answer: () => ({ pieces: [], ending: 'silence' }) })
  const session = await standIn.create({ signal: controller.signal })
  const reading = read(session.promptStreaming([hello], { signal: controller.signal }))
  const reason = new Error('stop')

  controller.abort(reason)

  await expect(reading).rejects.toBe(reason)
  expect(standIn.openSessions()).toBe(0)
})

async function read(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const pieces: unknown[] = []
  for await (const piece of stream) pieces.push(piece)
  return pieces
}

import { describe, expect, test } from 'vitest'
import type { Message } from '../kernel/message.ts'
import { type Model, type ModelChunk, ModelError, type ModelRequest } from './port.ts'

/** The situation that a model under test is put into. */
export type Situation =
  /** Some text, then two tool calls with arguments, all complete. */
  | 'answers'
  /** The first part of the same, then a clean end of the connection. */
  | 'ends early'
  /** The first part of the same, then a broken connection. */
  | 'breaks'
  /** The first part of the same, then silence, whatever the signal does. */
  | 'stalls'
  /** No answer at all, whatever the signal does. */
  | 'is silent'

/** What every adapter promises. `makeModel` returns a fresh model in that situation. */
export function modelContract(
  name: string,
  makeModel: (situation: Situation) => Model | Promise<Model>,
): void {
  describe(`${name} keeps the model contract`, () => {
    test('[S002-11] chunks follow the grammar', async () => {
      const model = await makeModel('answers')

      const chunks = await collect(model)

      expect(grammarErrors(chunks)).toEqual([])
      expect(chunks.filter((chunk) => chunk.type === 'toolcall_start')).toHaveLength(2)
    })

    test('[M1] a model can be used again', async () => {
      const model = await makeModel('answers')

      const [first, second] = [await collect(model), await collect(model)]

      expect(second).toEqual(first)
    })

    test('two answers at once do not mix', async () => {
      const model = await makeModel('answers')

      const [first, second] = await Promise.all([collect(model), collect(model)])

      expect(second).toEqual(first)
    })

    test.each(['ends early', 'breaks'] as const)(
      'a stream that %s is an error',
      async (situation) => {
        const model = await makeModel(situation)

        const error: unknown = await collect(model).catch((thrown: unknown) => thrown)

        if (!(error instanceof ModelError)) throw error
        expect(error.error.kind).toMatch(/^(truncated_stream|network)$/)
        expect(error.error.message).toMatch(/\.$/)
        expect(error.error.retryable).toBe(true)
      },
    )

    test('an aborted signal sends nothing', async () => {
      const model = await makeModel('is silent')
      const reason = new Error('stop')

      await expect(collect(model, AbortSignal.abort(reason))).rejects.toBe(reason)
    })

    test.each(['is silent', 'stalls', 'answers'] as const)(
      'an abort ends a stream that %s with its reason',
      async (situation) => {
        const model = await makeModel(situation)
        const reason = new Error('stop')
        const controller = new AbortController()
        const seen: ModelChunk[] = []
        const reading = (async () => {
          for await (const chunk of model.stream(request, { signal: controller.signal })) {
            seen.push(chunk)
            controller.abort(reason)
          }
        })()
        if (situation === 'is silent') setTimeout(() => controller.abort(reason), 20)

        await expect(reading).rejects.toBe(reason)
        expect(seen).toHaveLength(situation === 'is silent' ? 0 : 1)
      },
    )

    test.each(['answers', 'ends early', 'breaks'] as const)(
      'an abort after any chunk of a stream that %s comes before all else',
      async (situation) => {
        const reason = new Error('stop')
        for (let last = 1; ; last += 1) {
          const model = await makeModel(situation)
          const controller = new AbortController()
          let seen = 0
          const reading = (async () => {
            for await (const chunk of model.stream(request, { signal: controller.signal })) {
              seen += 1
              if (chunk.type === 'finish') return 'finished'
              if (seen === last) controller.abort(reason)
            }
            return 'ended'
          })()
          const outcome: unknown = await reading.catch((error: unknown) => error)
          if (!controller.signal.aborted) return
          expect(outcome).toBe(reason)
          expect(seen).toBe(last)
        }
      },
    )

    test('a reader may leave early', async () => {
      const model = await makeModel('stalls')

      for await (const chunk of model.stream(request, { signal: new AbortController().signal })) {
        expect(chunk.type).toMatch(/_start$/)
        break
      }
    })
  })
}

const question: Message = {
  id: 'm1',
  parentId: null,
  role: 'user',
  content: [{ type: 'text', text: 'What time is it in Kyiv and in Lima?' }],
}

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [question],
  tools: [{ name: 'clock', description: 'Tells the time.', inputSchema: { type: 'object' } }],
}

async function collect(
  model: Model,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = []
  for await (const chunk of model.stream(request, { signal })) chunks.push(chunk)
  return chunks
}

/** Where a stream breaks the grammar of `ModelChunk`: an empty list for a valid one. */
export function grammarErrors(chunks: readonly ModelChunk[]): readonly string[] {
  const errors: string[] = []
  const open = new Map<number, string>()
  let started = 0
  for (const [index, chunk] of chunks.entries()) {
    const isLast = index === chunks.length - 1
    if (chunk.type === 'finish') {
      if (!isLast) errors.push(`${index}: finish is not last`)
      if (open.size > 0) errors.push(`${index}: finish while blocks are open`)
      continue
    }
    const [kind = '', step] = chunk.type.split('_')
    if (step === 'start') {
      if (chunk.contentIndex !== started) errors.push(`${index}: blocks are not counted from 0`)
      open.set(chunk.contentIndex, kind)
      started += 1
    } else if (open.get(chunk.contentIndex) !== kind) {
      errors.push(`${index}: ${chunk.type} is for no open ${kind} block`)
    }
    if (step === 'end') open.delete(chunk.contentIndex)
    if ('delta' in chunk && chunk.delta === '') errors.push(`${index}: empty delta`)
  }
  if (chunks.at(-1)?.type !== 'finish') errors.push('the stream has no finish')
  return errors
}

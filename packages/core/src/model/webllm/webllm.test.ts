import type { MLCEngine, MLCEngineInterface, WebWorkerMLCEngine } from '@mlc-ai/web-llm'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Message } from '../../kernel/message.ts'
import {
  answer,
  call,
  conversations,
  image,
  result,
  text,
  unseen,
  user,
} from '../format/conversations.fixtures.ts'
import { grammarErrors, modelContract, type Situation } from '../model.contract.ts'
import { type Model, type ModelChunk, ModelError, type ModelRequest } from '../port.ts'
import {
  createEngine,
  createWorkerEngine,
  type ModelOptions,
  modelName,
  type Script,
} from './engine.fixtures.ts'
import type { WebLLMEngine } from './engine.ts'
import { webllm } from './webllm.ts'

const places = { page: createEngine, worker: createWorkerEngine }

const calling = JSON.stringify({
  say: 'I look at the clock 🕰️.',
  calls: [
    { tool: 'clock', arguments: { city: 'Київ' } },
    { tool: 'clock', arguments: { city: 'Lima' } },
  ],
})

for (const [place, create] of Object.entries(places)) {
  modelContract(`webllm (its engine in the ${place})`, (situation) =>
    webllm(create({ answer: () => scripted(situation) }).engine, { model: modelName }),
  )
}

function scripted(situation: Situation): Script {
  const tokens = tokensOf(calling)
  const begun = tokens.slice(0, 6)
  switch (situation) {
    case 'answers':
      return { tokens }
    case 'ends early':
      return { tokens: begun, isUnheld: true }
    case 'breaks':
      return { tokens: begun, ending: new Error('The queue was destroyed.') }
    case 'stalls':
      return { tokens: begun, ending: 'silence' }
    case 'is silent':
      return { tokens: [], ending: 'silence' }
  }
}

test('every engine of WebLLM fits without a cast', () => {
  expectTypeOf<MLCEngine>().toExtend<WebLLMEngine>()
  expectTypeOf<WebWorkerMLCEngine>().toExtend<WebLLMEngine>()
  expectTypeOf<MLCEngineInterface>().toExtend<WebLLMEngine>()
})

describe('an answer', () => {
  test('without tools streams as it comes, with its figures', async () => {
    const { chunks, seen } = await ask(() => ({ tokens: ['It is', ' noon.'] }))

    expect(chunks).toEqual([
      { type: 'text_start', contentIndex: 0 },
      { type: 'text_delta', contentIndex: 0, delta: 'It is' },
      { type: 'text_delta', contentIndex: 0, delta: ' noon.' },
      { type: 'text_end', contentIndex: 0 },
      { type: 'finish', stopReason: 'stop', usage: { inputTokens: 7, outputTokens: 2 } },
    ])
    expect(seen).toEqual([{ system: 'Be brief.', history: [], input: 'What time is it?' }])
  })

  test('[M14] with tools streams what it says, and has its calls at its end', async () => {
    const { chunks, seen } = await ask(() => ({ tokens: tokensOf(calling) }), withTools)

    expect(grammarErrors(chunks)).toEqual([])
    expect(deltas(chunks, 'text_delta').length).toBeGreaterThan(1)
    expect(deltas(chunks, 'text_delta').join('')).toBe('I look at the clock 🕰️.')
    expect(deltas(chunks, 'toolcall_delta')).toEqual(['{"city":"Київ"}', '{"city":"Lima"}'])
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', stopReason: 'tool_use' })
    expect(seen[0]?.schema).toMatchObject({ required: ['say'] })
    // The engine does not show the model the schema.
    expect(seen[0]?.system).toMatch(
      /^Be brief\.\n\n.*- clock: Tells the time\. Its arguments: {"type":"object"/s,
    )
  })

  test('with tools that needs none is a text', async () => {
    const { chunks } = await ask(() => ({ tokens: ['{"say":"Noon', '."}'] }), withTools)

    expect(deltas(chunks, 'text_delta')).toEqual(['Noon', '.'])
    expect(chunks.at(-1)).toMatchObject({ stopReason: 'stop' })
  })

  test.each([
    ['levels without measure', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['a number beyond all numbers', '{"a":1e400}'],
  ])('[M14] with %s in the input of a call is garbled', async (_, input) => {
    const tokens = [`{"say":"","calls":[{"tool":"clock","arguments":${input}}]}`]

    const asking = ask(() => ({ tokens, isUnheld: true }), withTools)

    await expect(asking).rejects.toMatchObject({ error: { kind: 'protocol' } })
  })

  test.each([question, { ...question, tools: [clock()] }])(
    'that reaches its limit keeps what was said',
    async (request) => {
      const tokens =
        request.tools.length > 0 ? ['{"say":"It', ' is', ' noon."}'] : ['It', ' is', ' noon.']

      const { chunks } = await ask(() => ({ tokens }), request, { maxTokens: 2 })

      expect(grammarErrors(chunks)).toEqual([])
      expect(deltas(chunks, 'text_delta').join('')).toBe('It is')
      expect(chunks.at(-1)).toMatchObject({ stopReason: 'max_tokens' })
    },
  )

  test('to a conversation with calls is asked for in texts, because the engine forgets calls', async () => {
    const messages: readonly Message[] = [
      user('Kyiv?'),
      answer([text('I look.'), call('a', '{"city":"Kyiv"}')]),
      result('a', [text('noon'), image('image/png')]),
    ]

    const { seen } = await ask(() => ({ tokens: ['{"say":"Noon."}'] }), { ...withTools, messages })

    expect(seen[0]?.history.map((entry) => JSON.stringify(entry))).toEqual([
      expect.stringContaining('Kyiv?'),
      expect.stringContaining('{\\"say\\":\\"I look.\\",\\"calls\\":[{\\"tool\\":\\"clock\\"'),
    ])
    expect(seen[0]?.input).toBe(
      'Result of call 1 (clock):\n\nnoon\n\n[An image was left out: this model cannot read it.]',
    )
  })

  test('to images is asked for with one text, where the model reads images', async () => {
    const messages = [user('One:', image('image/png'), 'Two:', image('image/gif'))]
    const { engine, seen } = createEngine({
      answer: () => ({ tokens: ['A map.'] }),
      readsImages: true,
    })

    await collect(webllm(engine, { model: modelName, readsImages: true }), {
      ...question,
      messages,
    })

    expect(seen[0]?.input).toEqual([
      { type: 'text', text: 'One:\n\nTwo:' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'image_url', image_url: { url: 'data:image/gif;base64,AAAA' } },
    ])
  })
})

test('every conversation is accepted by the engine, and gives away nothing that is not for a model', async () => {
  await fc.assert(
    fc.asyncProperty(conversations, fc.boolean(), async (messages, hasTools) => {
      const { engine, seen } = createEngine({
        answer: ({ schema }) => ({ tokens: [schema ? '{"say":"Yes."}' : 'Yes.'] }),
      })
      const request = { system: 'Be brief.', messages, tools: hasTools ? [clock()] : [] }
      const chunks = await collect(webllm(engine, { model: modelName }), request).catch(
        (error: unknown) => error,
      )
      if (chunks instanceof ModelError) {
        expect(chunks.error.message).toBe('There is no message. Send one.')
        return
      }
      expect(seen).toHaveLength(1)
      expect(JSON.stringify(seen)).not.toContain(unseen)
    }),
    { numRuns: 200, seed: 1 },
  )
})

describe('an output', () => {
  const output = {
    isStrict: true,
    schema: {
      type: 'object',
      properties: { hour: { type: 'integer' } },
      required: ['hour'],
      additionalProperties: false,
    },
  } as const

  test('is what the whole answer is held to, so that it streams', async () => {
    const { chunks, seen } = await ask(() => ({ tokens: ['{"hour"', ':12}'] }), {
      ...question,
      output,
    })

    expect(deltas(chunks, 'text_delta')).toEqual(['{"hour"', ':12}'])
    expect(seen[0]?.schema).toEqual(output.schema)
    expect(seen[0]?.system).toContain(JSON.stringify(output.schema))
  })

  test('is a tool beside tools, and the call becomes the text', async () => {
    const tokens = ['{"say":"","calls":[{"tool":"final_answer","arguments":{"hour":12}}]}']

    const { chunks } = await ask(() => ({ tokens }), { ...withTools, output })

    expect(deltas(chunks, 'text_delta')).toEqual(['{"hour":12}'])
    expect(chunks.at(-1)).toMatchObject({ stopReason: 'stop' })
  })
})

describe.each(Object.entries(places))('an engine in the %s', (_, create) => {
  test('[M13] answers one request at a time, in their order', async () => {
    const { engine, mostAtOnce } = create({
      answer: ({ input }) => ({ tokens: tokensOf(`Answer to ${String(input)}`) }),
    })
    const models = [webllm(engine, { model: modelName }), webllm(engine, { model: modelName })]

    const answers = await Promise.all(
      models.flatMap((model, at) =>
        ['a', 'b'].map((name) => collect(model, { ...question, messages: [user(`${name}${at}`)] })),
      ),
    )

    expect(answers.map((chunks) => deltas(chunks, 'text_delta').join(''))).toEqual(
      ['a0', 'b0', 'a1', 'b1'].map((name) => `Answer to ${name}`),
    )
    expect(mostAtOnce()).toBe(1)
  })

  test('[M13] is free again after a stop, before and after the first word', async () => {
    const written: number[] = []
    const endless = Array.from({ length: 5000 }, (_value, at) => `${at} `)
    const { engine } = create({
      answer: ({ input }) => {
        if (input !== 'Count.') return { tokens: ['Noon.'] }
        written.push(endless.length)
        return { tokens: endless }
      },
    })
    const model = webllm(engine, { model: modelName })
    const counting = { ...question, messages: [user('Count.')] }

    for (const words of [0, 3]) {
      const controller = new AbortController()
      const reading = (async () => {
        let seen = 0
        for await (const _chunk of model.stream(counting, { signal: controller.signal })) {
          if (++seen > words) controller.abort(new Error('stop'))
        }
      })()
      if (words === 0) setTimeout(() => controller.abort(new Error('stop')))
      await expect(reading).rejects.toThrow('stop')
    }
    const next = await collect(model)

    expect(deltas(next, 'text_delta').join('')).toBe('Noon.')
    expect(written.length).toBeGreaterThan(0)
  })

  test('[M13] does not lose the answer of another agent to a stop of one that waits', async () => {
    const { engine } = create({ answer: () => ({ tokens: tokensOf('x'.repeat(60), 1) }) })
    const model = webllm(engine, { model: modelName })
    const controller = new AbortController()
    let alive = 0

    const first = collect(model)
    const waiting = (async () => {
      const onAlive = () => {
        // The other answer is a sign of life, so that the wait is no silence.
        if (++alive === 5) controller.abort(new Error('stop'))
      }
      for await (const _chunk of model.stream(question, { signal: controller.signal, onAlive }));
    })()

    await expect(waiting).rejects.toThrow('stop')
    expect(deltas(await first, 'text_delta').join('')).toBe('x'.repeat(60))
  })

  test.each([
    [{ contextWindow: 10 }, {}, 'context_overflow', /too long for the model/],
    [{}, { model: 'Another-MLC' }, 'bad_request', /has not loaded this model/],
    [{}, { readsImages: true }, 'bad_request', /cannot read this image/],
    [{ answer: fails('Object has already been disposed') }, {}, 'bad_request', /lost its graphics/],
    [{ answer: fails('Something else') }, {}, 'overloaded', /^The engine failed\./],
  ] as const)('that refuses says why: %j %j', async (...row) => {
    const [engineOptions, options, kind, message] = row
    const { engine } = create({ answer: () => ({ tokens: ['Yes.'] }), ...engineOptions })
    const model = webllm(engine, { model: modelName, ...options })
    const messages = [user('Look:', image('image/png'))]

    const error: unknown = await collect(model, { ...question, messages }).catch(
      (thrown: unknown) => thrown,
    )

    if (!(error instanceof ModelError)) throw error
    expect(error.error).toMatchObject({ kind, message: expect.stringMatching(message) })
  })

  test('that something else has interrupted gives an error and no short answer', async () => {
    const { engine } = create({ answer: () => ({ tokens: tokensOf('x'.repeat(100), 1) }) })
    const model = webllm(engine, { model: modelName })

    const reading = (async () => {
      const { signal } = new AbortController()
      for await (const { type } of model.stream(question, { signal })) {
        if (type === 'text_start') void engine.interruptGenerate()
      }
    })()

    await expect(reading).rejects.toMatchObject({ error: { kind: 'truncated_stream' } })
  })
})

describe('an engine that has each word ready', () => {
  /** With tools it never comes to its calls. */
  function ready(
    word: string,
    most: number,
  ): { readonly engine: WebLLMEngine; readonly written: () => number } {
    let written = 0
    const chunk = { choices: [{ index: 0, delta: { content: word }, finish_reason: null }] }
    async function* answer() {
      while (written < most) {
        written += 1
        yield chunk
      }
    }
    const create = async () => answer()
    const engine = { chat: { completions: { create } }, interruptGenerate: () => {} }
    return { engine, written: () => written }
  }

  test('[M8] gives the page its turn, in an answer and after its stop', async () => {
    const most = 100_000
    const { engine, written } = ready('x', most)
    const controller = new AbortController()
    const { signal } = controller
    setTimeout(() => controller.abort(new Error('stop')))

    const reading = (async () => {
      for await (const _chunk of webllm(engine, { model: modelName }).stream(question, { signal }));
    })()

    await expect(reading).rejects.toThrow('stop')
    const before = written()
    await new Promise((resolve) => setTimeout(resolve))
    expect(before).toBeLessThan(most)
    expect(written()).toBeLessThan(most)
  })

  test('[M13] that no interruption stops is not read for ever, and the next request has its turn', async () => {
    const { engine } = ready('x', Infinity)
    const model = webllm(engine, { model: modelName })

    for (let request = 0; request < 2; request += 1) {
      const { signal } = new AbortController()
      for await (const { type } of model.stream(question, { signal })) {
        if (type === 'text_delta') break
      }
    }
  })

  test('[M9] has a limit of what it writes before its calls', async () => {
    const { engine, written } = ready('x'.repeat(100_000), 500)
    const model = webllm(engine, { model: modelName })

    const reading = collect(model, { ...question, tools: [clock()] })

    await expect(reading).rejects.toMatchObject({ error: { kind: 'too_large' } })
    expect(written()).toBeLessThan(300)
  })

  test('[M3] may throw what has no text', async () => {
    const create = async () => {
      throw Object.create(null)
    }
    const engine = { chat: { completions: { create } }, interruptGenerate: () => {} }

    const reading = collect(webllm(engine, { model: modelName }))

    await expect(reading).rejects.toMatchObject({ error: { kind: 'overloaded' } })
  })
})

function fails(message: string): ModelOptions['answer'] {
  return () => ({ tokens: [], ending: new Error(message) })
}

function clock() {
  return { name: 'clock', description: 'Tells the time.', inputSchema: { type: 'object' } }
}

const question: ModelRequest = {
  system: 'Be brief.',
  messages: [user('What time is it?')],
  tools: [],
}
const withTools: ModelRequest = { ...question, tools: [clock()] }

async function ask(
  script: ModelOptions['answer'],
  request: ModelRequest = question,
  options: { readonly maxTokens?: number } = {},
) {
  const { engine, seen } = createEngine({ answer: script })
  const chunks = await collect(webllm(engine, { model: modelName, ...options }), request)
  return { chunks, seen }
}

async function collect(
  model: Model,
  request: ModelRequest = question,
): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = []
  const { signal } = new AbortController()
  for await (const chunk of model.stream(request, { signal })) chunks.push(chunk)
  return chunks
}

function tokensOf(written: string, size = 7): readonly string[] {
  const letters = [...written]
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(''),
  )
}

function deltas(chunks: readonly ModelChunk[], type: ModelChunk['type']): readonly string[] {
  return chunks.flatMap((chunk) => ('delta' in chunk && chunk.type === type ? chunk.delta : []))
}

import { Validator } from '@cfworker/json-schema'
import {
  type JsonObject,
  type Message,
  type Model,
  type ModelChunk,
  ModelError,
  type ModelRequest,
} from '@offthread/core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  grammarErrors,
  modelContract,
  type Situation,
} from '../../core/src/model/model.contract.ts'
import { type ChromeModelOptions, chromeAvailability, chromeModel } from './chrome.ts'
import type { ChromeSession } from './language-model.ts'
import {
  createStandIn,
  type StandIn,
  type StandInAnswer,
  type StandInOptions,
} from './stand-in.fixtures.ts'

const answerJson = JSON.stringify({
  say: 'I look at the clock 🕰️.',
  calls: [
    { tool: 'clock', arguments: { city: 'Київ' } },
    { tool: 'clock', arguments: { city: 'Lima' } },
  ],
})

modelContract('chrome (stand-in)', (situation) => {
  const languageModel = createStandIn({
    keepsTo,
    answer: () => scripted(situation),
    isDeaf: situation === 'stalls' || situation === 'is silent',
  })
  onTestFinished(() => expect(languageModel.openSessions()).toBe(0))
  return chromeModel({ languageModel })
})

function scripted(situation: Situation): StandInAnswer {
  const pieces = piecesOf(answerJson)
  const begun = pieces.slice(0, 6)
  switch (situation) {
    case 'answers':
      return { pieces }
    case 'ends early':
      return { pieces: begun, isUnheld: true }
    case 'breaks':
      return { pieces: begun, ending: new DOMException('Gone.', 'UnknownError') }
    case 'stalls':
      return { pieces: begun, ending: 'silence' }
    case 'is silent':
      return { pieces: [], ending: 'silence' }
  }
}

describe('an answer', () => {
  test('without tools streams as it comes', async () => {
    const { chunks, languageModel } = await ask({ answer: () => ({ pieces: ['It is', ' noon.'] }) })

    expect(chunks).toEqual([
      { type: 'text_start', contentIndex: 0 },
      { type: 'text_delta', contentIndex: 0, delta: 'It is' },
      { type: 'text_delta', contentIndex: 0, delta: ' noon.' },
      { type: 'text_end', contentIndex: 0 },
      { type: 'finish', stopReason: 'stop', usage: { inputTokens: 12, outputTokens: 11 } },
    ])
    expect(languageModel.seen[0]?.options).not.toHaveProperty('responseConstraint')
  })

  test('without content has no block', async () => {
    const { chunks } = await ask({ answer: () => ({ pieces: ['', ''] }) })

    expect(chunks.map(({ type }) => type)).toEqual(['finish'])
  })

  test('[M14] with tools streams its text at once, and has its calls at its end', async () => {
    const { chunks, languageModel } = await ask(
      { answer: () => ({ pieces: piecesOf(answerJson) }) },
      withTools,
    )

    expect(grammarErrors(chunks)).toEqual([])
    expect(deltas(chunks, 'text_delta')).toEqual(['I look', ' at the', ' clock ', '🕰️.'])
    expect(chunks.filter(({ type }) => !type.startsWith('text'))).toEqual([
      { type: 'toolcall_start', contentIndex: 1, toolName: 'clock' },
      { type: 'toolcall_delta', contentIndex: 1, delta: '{"city":"Київ"}' },
      { type: 'toolcall_end', contentIndex: 1 },
      { type: 'toolcall_start', contentIndex: 2, toolName: 'clock' },
      { type: 'toolcall_delta', contentIndex: 2, delta: '{"city":"Lima"}' },
      { type: 'toolcall_end', contentIndex: 2 },
      {
        type: 'finish',
        stopReason: 'tool_use',
        usage: { inputTokens: expect.any(Number), outputTokens: answerJson.length },
      },
    ])
    expect(languageModel.seen[0]?.options.responseConstraint).toMatchObject({ type: 'object' })
  })

  test.each([
    [
      'nothing but a call',
      '{"say":"","calls":[{"tool":"clock","arguments":{}}]}',
      { said: '', calls: 1 },
    ],
    ['nothing but words', '{ "say" : "Noon." }', { said: 'Noon.', calls: 0 }],
    ['an empty list', '{"say":"Noon.","calls":[]}', { said: 'Noon.', calls: 0 }],
    [
      'escapes',
      '{"say":"a\\n\\"b\\" \\\\ \\u00fc\\ud83d\\udd70"}',
      { said: 'a\n"b" \\ ü🕰', calls: 0 },
    ],
    ['brackets and quotes in texts', '{"say":"}]\\"{[","calls":[]}', { said: '}]"{[', calls: 0 }],
    [
      'calls before words',
      '{"calls":[{"tool":"clock","arguments":{}}],"say":"Noon."}',
      { said: 'Noon.', calls: 1 },
    ],
  ])('with %s is read the same wherever it is cut', async (_, json, { said, calls }) => {
    for (let cut = 0; cut <= json.length; cut += 1) {
      for (const pieces of [[json.slice(0, cut), json.slice(cut)], piecesOf(json, cut + 1)]) {
        const { chunks } = await ask({ answer: () => ({ pieces }) }, withTools)

        expect(grammarErrors(chunks)).toEqual([])
        expect(deltas(chunks, 'text_delta').join('')).toBe(said)
        expect(
          deltas(chunks, 'text_delta').filter((delta) => /\p{Surrogate}/u.test(delta)),
        ).toEqual([])
        expect(chunks.filter(({ type }) => type === 'toolcall_end')).toHaveLength(calls)
      }
    }
  })

  test('that breaks off at any place is an error and never a shorter answer', async () => {
    for (let end = 0; end < answerJson.length; end += 1) {
      const pieces = [answerJson.slice(0, end)]

      const error = await failureOf({ answer: () => ({ pieces, isUnheld: true }) }, withTools)

      expect(error).toMatchObject({ kind: 'truncated_stream', retryable: true })
    }
  })

  test.each([
    'Noon.',
    '{"say":"Noon."} Noon.',
    '{"say":5}',
    '{"say":"a","say":"b"}',
    '{"say":"line\nbreak"}',
    '{"say":"\\x"}',
    '["say"]',
    'null',
    '{"say":"","calls":{}}',
    '{"say":"","calls":["clock"]}',
    '{"say":"","calls":[{"tool":"clock"}]}',
    '{"say":"","calls":[{"tool":"clock","arguments":"{}"}]}',
    '{"say":"","calls":[{"tool":"clock","arguments":[]}]}',
  ])('that breaks the constraint is garbled: %j', async (text) => {
    const error = await failureOf(
      { answer: () => ({ pieces: piecesOf(text), isUnheld: true }) },
      withTools,
    )

    expect(error).toMatchObject({ kind: 'protocol', retryable: true })
  })

  test('cannot hold a call of a tool that was not offered', async () => {
    const pieces = ['{"say":"","calls":[{"tool":"calendar","arguments":{}}]}']

    const error = await failureOf({ answer: () => ({ pieces }) }, withTools)

    expect(error).toMatchObject({ kind: 'protocol' })
  })

  test.each([
    ['200 KB in small pieces', 6000, 64],
    ['2 MB in one piece', 60_000, Number.POSITIVE_INFINITY],
  ])('of %s is read in one go', async (_, words, size) => {
    const text = 'a "quoted" word, '.repeat(words)
    const json = JSON.stringify({ say: text, calls: [{ tool: 'clock', arguments: { text } }] })
    const pieces = Number.isFinite(size) ? piecesOf(json, size) : [json]

    const { chunks } = await ask({ answer: () => ({ pieces }) }, withTools)

    expect(deltas(chunks, 'text_delta').join('')).toBe(text)
    expect(deltas(chunks, 'toolcall_delta').join('')).toBe(JSON.stringify({ text }))
  })

  test('in pieces that are no text is garbled', async () => {
    const error = await failureOf({ answer: () => ({ pieces: [{ type: 'thought', value: '' }] }) })

    expect(error).toMatchObject({ kind: 'protocol' })
  })
})

describe('usage', () => {
  test('is measured under the older names, too', async () => {
    const answer = (): StandInAnswer => ({ pieces: ['Noon.'] })

    const [today, older, none] = [
      await ask({ answer }),
      await ask({ answer, figures: 'old' }),
      await ask({ answer, figures: 'none' }),
    ]

    expect(today.chunks).toEqual(older.chunks)
    expect(none.chunks.at(-1)).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 } })
  })

  test('that never comes is left out, and an abort ends the wait for it', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const languageModel = changed({ measureContextUsage: () => new Promise(() => undefined) })
    const model = chromeModel({ languageModel })
    const controller = new AbortController()
    const reading = collect(model)
    const stopped = collect(model, question, controller.signal)
    stopped.catch(() => undefined)

    await vi.advanceTimersByTimeAsync(1999)
    controller.abort(new Error('stop'))
    await expect(stopped).rejects.toThrow('stop')
    expect(languageModel.openSessions()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)

    expect((await reading).at(-1)).toEqual({
      type: 'finish',
      stopReason: 'stop',
      usage: { inputTokens: 0, outputTokens: 0 },
    })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a failure', () => {
  test('without the API says what to do', async () => {
    const error = await collect(chromeModel()).catch((thrown: unknown) => thrown)

    expect((error as ModelError).error).toEqual({
      kind: 'bad_request',
      message:
        'This browser has no built-in model. Use Chrome 148 or newer on a desktop, or choose another model.',
      retryable: false,
    })
  })

  test.each([
    ['NotAllowedError', 'permission', false],
    ['NetworkError', 'network', true],
    ['NotSupportedError', 'bad_request', false],
    ['InvalidStateError', 'bad_request', false],
    ['OperationError', 'overloaded', true],
    ['QuotaExceededError', 'context_overflow', false],
  ])('of the session by %s is of kind %s', async (name, kind, retryable) => {
    const error = await failureOf({ creation: new DOMException('Why.', name) })

    expect(error).toMatchObject({ kind, retryable, message: expect.stringMatching(/\.$/) })
  })

  test.each([
    ['NotReadableError', 'refusal', false],
    ['SyntaxError', 'protocol', true],
    ['UnknownError', 'truncated_stream', true],
    ['AbortError', 'truncated_stream', true],
  ])('of an answer by %s is of kind %s', async (name, kind, retryable) => {
    const ending = new DOMException('Why.', name)

    const error = await failureOf({ answer: () => ({ pieces: ['It '], ending }) })

    expect(error).toMatchObject({ kind, retryable, message: expect.stringMatching(/\.$/) })
  })

  test.each([
    ['history', 20],
    ['last message', 36],
  ])('of a %s that does not fit is an overflow', async (_, contextWindow) => {
    const messages = [user('x'.repeat(30)), answered('Yes.'), user('And?')]

    const error = await failureOf({ contextWindow }, { ...question, messages })

    expect(error).toMatchObject({ kind: 'context_overflow', retryable: false })
  })

  test('of a conversation without a message asks for one', async () => {
    const error = await failureOf({}, { ...question, messages: [] })

    expect(error).toMatchObject({ kind: 'bad_request' })
  })

  test('leaves no session in memory', async () => {
    const ending = new DOMException('Why.', 'UnknownError')
    const languageModel = createStandIn({ answer: () => ({ pieces: [], ending }) })

    await expect(collect(chromeModel({ languageModel }))).rejects.toThrow(ModelError)

    expect(languageModel.seen).toHaveLength(1)
    expect(languageModel.openSessions()).toBe(0)
  })
})

describe('an error while a session is destroyed', () => {
  const destroy = () => {
    throw new DOMException('Destroyed before.', 'InvalidStateError')
  }

  test('changes nothing in a complete answer', async () => {
    const chunks = await collect(chromeModel({ languageModel: changed({ destroy }) }))

    expect(chunks.at(-1)).toMatchObject({ type: 'finish', stopReason: 'stop' })
  })

  test('hides no other error', async () => {
    const model = chromeModel({ languageModel: changed({ destroy }, { pieces: [12] }) })

    await expect(collect(model)).rejects.toMatchObject({ error: { kind: 'protocol' } })
  })
})

describe('an abort', () => {
  test('ends the wait for a session that never opens', async () => {
    const reason = new Error('stop')
    const controller = new AbortController()
    const model = chromeModel({
      languageModel: createStandIn({ creation: 'silence', isDeaf: true }),
    })

    const reading = collect(model, question, controller.signal)
    setTimeout(() => controller.abort(reason), 5)

    await expect(reading).rejects.toBe(reason)
  })

  test('destroys a session that opens too late', async () => {
    const controller = new AbortController()
    const standIn = createStandIn({ isDeaf: true })
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const made: Promise<unknown>[] = []
    const languageModel = {
      ...standIn,
      create: (options = {}) => {
        const session = gate.then(() => standIn.create(options))
        made.push(session.then(() => expect(standIn.openSessions()).toBe(1)))
        return session
      },
    }
    const reading = collect(chromeModel({ languageModel }), question, controller.signal)
    controller.abort(new Error('stop'))
    await expect(reading).rejects.toThrow('stop')

    open()

    await Promise.all(made)
    await expect.poll(() => standIn.openSessions()).toBe(0)
    expect(made).toHaveLength(1)
    expect(standIn.seen).toEqual([])
  })
})

describe('a session', () => {
  test('gets the languages, and reports its download', async () => {
    const progress: number[] = []

    const { languageModel } = await ask({}, question, {
      languages: ['en', 'uk'],
      onDownloadProgress: (loaded) => progress.push(loaded),
    })

    expect(languageModel.seen[0]?.session).toMatchObject({
      expectedInputs: [{ type: 'text', languages: ['en', 'uk'] }],
      expectedOutputs: [{ type: 'text', languages: ['en', 'uk'] }],
    })
    expect(progress).toEqual([0, 1])
  })

  test('gives signs of life while it loads, and while it writes what is not shown', async () => {
    const pieces = ['{"say":"",', '"calls":[{"tool":"clock",', '"arguments":{}}]}']
    const order: string[] = []
    const model = chromeModel({ languageModel: createStandIn({ answer: () => ({ pieces }) }) })
    const { signal } = new AbortController()

    const onAlive = () => order.push('alive')
    for await (const { type } of model.stream(withTools, { signal, onAlive })) order.push(type)

    const load = ['alive', 'alive']
    const call = ['toolcall_start', 'toolcall_delta', 'toolcall_end']
    expect(order).toEqual([...load, ...pieces.map(() => 'alive'), ...call, 'finish'])
  })

  test('gets images if it can take them, and a note if not', async () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const
    const messages: Message[] = [{ id: 'm', parentId: null, role: 'user', content: [image] }]

    const able = await ask({ takesImages: true }, { ...question, messages })
    const unable = await ask({}, { ...question, messages })

    const images = able.languageModel.seen.flatMap(({ input }) =>
      input.flatMap(({ content }) => (typeof content === 'string' ? [] : content)),
    )
    expect(images).toEqual([{ type: 'image', value: expect.any(Blob) }])
    expect(images[0]?.value).toMatchObject({ type: 'image/png', size: 3 })
    expect(unable.languageModel.seen[0]?.input).toEqual([
      { role: 'user', content: '[An image was left out: this model cannot read it.]' },
    ])
    expect(unable.languageModel.seen[0]?.session.expectedInputs).toEqual([{ type: 'text' }])
  })

  test('is one of its own for every request', async () => {
    const languageModel = createStandIn({ answer: () => ({ pieces: ['Noon.'] }) })
    const model = chromeModel({ languageModel })

    await collect(model)
    await collect(model)

    const [first, second] = languageModel.seen
    expect(first?.input).toEqual(second?.input)
    expect(languageModel.openSessions()).toBe(0)
  })
})

describe('availability', () => {
  test.each(['unavailable', 'downloadable', 'downloading', 'available'])(
    '%s is passed on',
    async (availability) => {
      const languageModel = createStandIn({ availability })

      expect(await chromeAvailability({ languageModel })).toBe(availability)
    },
  )

  test.each([
    ['there is no API', {}],
    ['it fails', { languageModel: createStandIn({ availability: new TypeError('no') }) }],
    ['it says something new', { languageModel: createStandIn({ availability: 'soon' }) }],
  ])('is unavailable where %s', async (_, options) => {
    expect(await chromeAvailability(options)).toBe('unavailable')
  })

  test('is read from the global object when it is needed, whether that is a class or not', async () => {
    const model = chromeModel()
    const standIn = createStandIn({ answer: () => ({ pieces: ['Noon.'] }) })
    vi.stubGlobal('LanguageModel', Object.assign(class {}, standIn))
    onTestFinished(() => void vi.unstubAllGlobals())

    expect(await chromeAvailability()).toBe('available')
    expect(deltas(await collect(model), 'text_delta')).toEqual(['Noon.'])
  })
})

const question: ModelRequest = { system: '', messages: [user('What time is')], tools: [] }

const clockSchema: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' } },
}

const withTools: ModelRequest = {
  ...question,
  tools: [{ name: 'clock', description: 'Tells the time.', inputSchema: clockSchema }],
}

function user(text: string): Message {
  return { id: 'm', parentId: null, role: 'user', content: [{ type: 'text', text }] }
}

function answered(text: string): Message {
  const model = { provider: 'chrome', id: 'built-in' }
  return { id: 'm', parentId: null, role: 'assistant', content: [{ type: 'text', text }], model }
}

/** A stand-in whose sessions have other methods. */
function changed(
  methods: Partial<ChromeSession>,
  answer: StandInAnswer = { pieces: ['Noon.'] },
): StandIn {
  const standIn = createStandIn({ answer: () => answer })
  return {
    ...standIn,
    create: async (options) => {
      const session = await standIn.create(options)
      return { ...session, contextUsage: 0, ...methods }
    },
  }
}

async function ask(
  standIn: StandInOptions,
  request: ModelRequest = question,
  options: ChromeModelOptions = {},
) {
  const languageModel = createStandIn({ keepsTo, ...standIn })
  const chunks = await collect(chromeModel({ languageModel, ...options }), request)
  return { chunks, languageModel }
}

function keepsTo(constraint: JsonObject, answer: unknown): boolean {
  return new Validator({ ...constraint }, '2020-12').validate(answer).valid
}

async function failureOf(standIn: StandInOptions, request: ModelRequest = question) {
  const error: unknown = await ask(standIn, request).catch((thrown: unknown) => thrown)
  if (!(error instanceof ModelError)) throw error
  return error.error
}

async function collect(
  model: Model,
  request: ModelRequest = question,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = []
  for await (const chunk of model.stream(request, { signal })) chunks.push(chunk)
  return chunks
}

function piecesOf(text: string, size = 7): readonly string[] {
  const count = Math.ceil(text.length / size)
  return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size))
}

function deltas(chunks: readonly ModelChunk[], type: ModelChunk['type']): readonly string[] {
  return chunks.flatMap((chunk) => ('delta' in chunk && chunk.type === type ? chunk.delta : []))
}

import type { Model, ModelChunk, ModelRequest, Usage } from '@offthread/core'
import {
  createHeldReader,
  createTextReader,
  garbled,
  hasImages,
  nothingToAnswer,
  untilAborted,
} from '@offthread/core/model'
import { abortable } from './abortable.ts'
import { chromeFailure, noBuiltInModel } from './failures.ts'
import { type ChromeFormat, formatForChrome } from './format.ts'
import {
  builtInModel,
  type ChromeExpectations,
  type ChromeLanguageModel,
  type ChromeMessage,
  type ChromePromptOptions,
  type ChromeSession,
} from './language-model.ts'

/** How the browser's model is used. */
export interface ChromeModelOptions {
  /** Replaces the browser's own. Default: `globalThis.LanguageModel`. */
  readonly languageModel?: ChromeLanguageModel
  /** Languages (BCP 47) of the conversation, for instance `['en', 'ja']`. Default: the browser's guess. */
  readonly languages?: readonly string[]
  /** Called with the progress of the download before the first answer, from 0 to 1. */
  readonly onDownloadProgress?: (loaded: number) => void
}

/** Whether the browser's model can be used: at once, after a download, or not at all. */
export type ChromeAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available'

/**
 * Asks whether the browser's model can be used with these options. Never throws: it is `unavailable` in a
 * browser that has none, and in a worker.
 *
 * @example
 * ```ts
 * if ((await chromeAvailability()) !== 'unavailable') menu.add('Built-in model (experimental)')
 * ```
 */
export async function chromeAvailability(
  options: ChromeModelOptions = {},
): Promise<ChromeAvailability> {
  return availabilityOf(options, expectationsOf(options, false))
}

/**
 * The model that Chrome brings along (the Prompt API): no key, no server, and nothing leaves the device.
 *
 * **Experimental.** The API is a draft, and this is tested against a stand-in with the same interface and not
 * against the model itself, which is small: expect it to choose wrong tools.
 *
 * Every request is a session of its own. Where tools are offered, the answer is held to JSON by a
 * `responseConstraint`; what is said in it still streams. Images go along if the browser can take them. Usage
 * is measured by the browser, and 0 where it does not measure. Without tools an answer that breaks off cannot
 * be distinguished from one that ends. The first request may take a long download, which only starts after a click in
 * the page. A failed request throws a `ModelError`.
 *
 * @example
 * ```ts
 * const agent = createAgent({ model: chromeModel({ languages: ['en'] }), tools })
 * ```
 */
export function chromeModel(options: ChromeModelOptions = {}): Model {
  return {
    identity: { provider: 'chrome', id: 'built-in' },
    stream: (request, { signal, onAlive = noOneListens }) =>
      streamAnswer({ request, options, signal, onAlive }),
  }
}

interface Question {
  readonly request: ModelRequest
  readonly options: ChromeModelOptions
  readonly signal: AbortSignal
  /** Called during a download, and while text is written that is not shown: neither counts as silence. */
  readonly onAlive: () => void
}

function noOneListens(): void {}

async function* streamAnswer(question: Question): AsyncGenerator<ModelChunk, void, undefined> {
  const { request, options, signal, onAlive } = question
  signal.throwIfAborted()
  const takesImages = hasImages(request) && (await untilAborted(canTakeImages(options), signal))
  const prompts = formatForChrome(request, { takesImages })
  if (prompts.input.length === 0) throw nothingToAnswer()
  let hasBegun = false
  let session: ChromeSession | undefined
  try {
    session = await openSession(question, { prompts, takesImages })
    for await (const chunk of readAnswer(session, { prompts, signal, onAlive })) {
      signal.throwIfAborted()
      hasBegun = true
      yield chunk
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : chromeFailure(error, hasBegun)
  } finally {
    destroy(session)
  }
}

interface Setup {
  readonly prompts: ChromeFormat
  readonly takesImages: boolean
}

async function openSession(
  { options, signal, onAlive }: Question,
  { prompts, takesImages }: Setup,
): Promise<ChromeSession> {
  const { languageModel = builtInModel(), onDownloadProgress } = options
  if (!languageModel) throw noBuiltInModel()
  const created = languageModel.create({
    ...expectationsOf(options, takesImages),
    initialPrompts: prompts.initialPrompts,
    signal,
    monitor: (monitor) =>
      monitor.addEventListener('downloadprogress', ({ loaded }) => {
        onAlive()
        onDownloadProgress?.(loaded)
      }),
  })
  try {
    return await untilAborted(created, signal)
  } catch (error) {
    // A session that is created after the abort would stay in memory.
    created.then((late) => late.destroy()).catch(() => undefined)
    throw error
  }
}

interface Reading extends Pick<Question, 'signal' | 'onAlive'> {
  readonly prompts: ChromeFormat
}

async function* readAnswer(
  session: ChromeSession,
  { prompts: { input, responseConstraint }, signal, onAlive }: Reading,
): AsyncGenerator<ModelChunk, void, undefined> {
  const held = responseConstraint && { responseConstraint }
  const reader = held ? createHeldReader() : createTextReader()
  const before = session.contextUsage ?? session.inputUsage ?? 0
  const pieces: string[] = []
  for await (const piece of abortable(
    session.promptStreaming(input, { ...held, signal }),
    signal,
  )) {
    if (typeof piece !== 'string') throw garbled('a piece of it is no text')
    pieces.push(piece)
    onAlive()
    yield* reader.push(piece)
  }
  const { chunks, calls } = reader.end()
  yield* chunks
  const [asked, answered] = await Promise.all([
    measured(session, input, { ...held, signal }),
    measured(session, [{ role: 'assistant', content: pieces.join('') }], { signal }),
  ])
  const usage: Usage = { inputTokens: before + asked, outputTokens: answered }
  yield { type: 'finish', stopReason: calls > 0 ? 'tool_use' : 'stop', usage }
}

/** Milliseconds to wait for the token counts of a complete answer. */
const patienceMs = 2000

/** A token count that cannot be measured must not lose the answer. */
async function measured(
  session: ChromeSession,
  input: readonly ChromeMessage[],
  options: ChromePromptOptions & { readonly signal: AbortSignal },
): Promise<number> {
  const { signal } = options
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), patienceMs)
  try {
    const figure = session.measureContextUsage
      ? session.measureContextUsage(input, options)
      : session.measureInputUsage?.(input, options)
    const inTime = AbortSignal.any([signal, late.signal])
    return await untilAborted(Promise.resolve(figure ?? 0), inTime)
  } catch {
    signal.throwIfAborted()
    return 0
  } finally {
    clearTimeout(timer)
  }
}

function destroy(session: ChromeSession | undefined): void {
  try {
    session?.destroy()
  } catch {
    // The session has ended all the same, and the answer that it gave counts.
  }
}

async function canTakeImages(options: ChromeModelOptions): Promise<boolean> {
  return (await availabilityOf(options, expectationsOf(options, true))) !== 'unavailable'
}

async function availabilityOf(
  options: ChromeModelOptions,
  expectations: ChromeExpectations,
): Promise<ChromeAvailability> {
  try {
    const { languageModel = builtInModel() } = options
    const said = await languageModel?.availability(expectations)
    return availabilities.find((known) => known === said) ?? 'unavailable'
  } catch {
    return 'unavailable'
  }
}

const availabilities = ['downloadable', 'downloading', 'available'] as const

function expectationsOf({ languages }: ChromeModelOptions, images: boolean): ChromeExpectations {
  const text = { type: 'text', ...(languages && { languages }) } as const
  return {
    expectedInputs: images ? [text, { type: 'image' }] : [text],
    expectedOutputs: [text],
  }
}

import type { JsonObject } from '@offthread/core'
import type {
  ChromeExpected,
  ChromeLanguageModel,
  ChromeMessage,
  ChromePromptOptions,
  ChromeSession,
  ChromeSessionOptions,
} from './language-model.ts'

/** How the stand-in answers one prompt. */
export interface StandInAnswer {
  readonly pieces: readonly unknown[]
  /** Default: `end`. */
  readonly ending?: 'end' | 'silence' | DOMException
  /** Sends this text although it breaks the constraint, as no real model should. */
  readonly isUnheld?: boolean
}

/** One prompt as the session got it. */
interface SeenPrompt {
  readonly session: ChromeSessionOptions
  readonly input: readonly ChromeMessage[]
  readonly options: ChromePromptOptions
}

export interface StandInOptions {
  readonly answer?: (seen: SeenPrompt) => StandInAnswer
  /** The availability of sessions. Default: all are `available`. */
  readonly availability?: string | Error
  readonly takesImages?: boolean
  /** What `create` does instead of returning a session. */
  readonly creation?: 'silence' | DOMException
  /** Ignores signals. */
  readonly isDeaf?: boolean
  /** Whether an answer satisfies a constraint; if not, it fails as in a browser. Default: all do. */
  readonly keepsTo?: (constraint: JsonObject, answer: unknown) => boolean
  /** The size of the context in characters. Default: unlimited. */
  readonly contextWindow?: number
  /** The names of the figures: those of today, of extensions, or none at all. Default: `new`. */
  readonly figures?: 'new' | 'old' | 'none'
}

export interface StandIn extends ChromeLanguageModel {
  readonly seen: readonly SeenPrompt[]
  /** The number of sessions that take up memory. */
  readonly openSessions: () => number
}

/**
 * Stands in for `LanguageModel`, and is stricter than a browser: what the drafts of the Prompt API forbid or
 * leave open fails here. One character is one token.
 */
export function createStandIn(given: StandInOptions = {}): StandIn {
  const seen: SeenPrompt[] = []
  const open = new Set<ChromeSession>()
  return {
    seen,
    openSessions: () => open.size,
    availability: (options = {}) => {
      if (given.availability instanceof Error) return Promise.reject(given.availability)
      const lacks = wantsImages(options.expectedInputs) && given.takesImages !== true
      return Promise.resolve(lacks ? 'unavailable' : (given.availability ?? 'available'))
    },
    create: async (options = {}) => {
      if (!given.isDeaf) options.signal?.throwIfAborted()
      checkLanguages([...(options.expectedInputs ?? []), ...(options.expectedOutputs ?? [])])
      if (wantsImages(options.expectedInputs) && given.takesImages !== true) {
        throw new DOMException('No images.', 'NotSupportedError')
      }
      checkMessages(options.initialPrompts ?? [], { isFirst: true, session: options })
      options.monitor?.({
        addEventListener: (_, listener) => {
          for (const loaded of [0, 1]) listener({ loaded })
        },
      })
      if (given.creation === 'silence') await new Promise(() => undefined)
      if (given.creation instanceof DOMException) throw given.creation
      checkFits(sizeOf(options.initialPrompts ?? []), given)
      const session = createSession(options, { given, seen, open })
      open.add(session)
      return session
    },
  }
}

interface Place {
  readonly given: StandInOptions
  readonly seen: SeenPrompt[]
  readonly open: Set<ChromeSession>
}

function createSession(options: ChromeSessionOptions, { given, seen, open }: Place): ChromeSession {
  const usage = sizeOf(options.initialPrompts ?? [])
  const destruction = new AbortController()
  function check(input: readonly ChromeMessage[], { responseConstraint }: ChromePromptOptions) {
    if (destruction.signal.aborted) throw new DOMException('Destroyed.', 'InvalidStateError')
    checkMessages(input, { isFirst: false, session: options })
    checkConstraint(responseConstraint)
  }
  async function measure(input: readonly ChromeMessage[], asked: ChromePromptOptions = {}) {
    check(input, asked)
    asked.signal?.throwIfAborted()
    return sizeOf(input) + (asked.responseConstraint ? 1000 : 0)
  }
  const session: ChromeSession = {
    ...(given.figures === 'old' && { inputUsage: usage, measureInputUsage: measure }),
    ...((given.figures ?? 'new') === 'new' && {
      contextUsage: usage,
      measureContextUsage: measure,
    }),
    promptStreaming: (input, asked = {}) => {
      const signals = given.isDeaf ? [] : [destruction.signal, asked.signal, options.signal]
      return streamOf(
        () => {
          check(input, asked)
          checkFits(usage + sizeOf(input), given)
          const prompt = { session: options, input, options: asked }
          seen.push(prompt)
          return held(given.answer?.(prompt) ?? { pieces: [] }, {
            ...asked,
            keepsTo: given.keepsTo,
          })
        },
        signals.filter((signal) => signal !== undefined),
      )
    },
    destroy: () => end(new DOMException('Destroyed.', 'AbortError')),
  }
  function end(reason: unknown): void {
    open.delete(session)
    destruction.abort(reason)
  }
  // As in a browser, the signal of the creation ends the session, too.
  const { signal } = options
  if (!given.isDeaf) signal?.addEventListener('abort', () => end(signal.reason), { once: true })
  return session
}

/** A real stream, with one piece for each read. */
function streamOf(
  answer: () => StandInAnswer,
  signals: readonly AbortSignal[],
): ReadableStream<unknown> {
  let left: unknown[] = []
  let ending: StandInAnswer['ending'] = 'end'
  return new ReadableStream<unknown>(
    {
      start: (controller) => {
        const abort = (event: Event) => controller.error((event.target as AbortSignal).reason)
        for (const signal of signals) signal.addEventListener('abort', abort, { once: true })
        const aborted = signals.find((signal) => signal.aborted)
        if (aborted) return controller.error(aborted.reason)
        try {
          const given = answer()
          left = [...given.pieces]
          ending = given.ending ?? 'end'
        } catch (error) {
          // As in a browser: the stream fails, not the call.
          controller.error(error)
        }
      },
      pull: (controller) => {
        if (left.length > 0) controller.enqueue(left.shift())
        else if (ending === 'end') controller.close()
        else if (ending === 'silence') return new Promise(() => undefined)
        else controller.error(ending)
        return undefined
      },
    },
    { highWaterMark: 0 },
  )
}

interface Held extends ChromePromptOptions {
  readonly keepsTo: StandInOptions['keepsTo']
}

/** A model that cannot keep to the constraint fails. */
function held(answer: StandInAnswer, { responseConstraint, keepsTo }: Held): StandInAnswer {
  const isChecked = (answer.ending ?? 'end') === 'end' && !answer.isUnheld
  if (!responseConstraint || !keepsTo || !isChecked) return answer
  const value: unknown = JSON.parse(answer.pieces.join(''))
  if (keepsTo(responseConstraint, value)) return answer
  return { pieces: [], ending: new DOMException('Not held.', 'SyntaxError') }
}

interface Rules {
  readonly isFirst: boolean
  readonly session: ChromeSessionOptions
}

function checkMessages(messages: readonly ChromeMessage[], { isFirst, session }: Rules): void {
  if (!isFirst && messages.length === 0) throw new TypeError('There is nothing to answer.')
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'system' && !(isFirst && index === 0)) {
      throw new TypeError('A system message is the first of initialPrompts or none.')
    }
    if (role !== 'system' && role === messages[index - 1]?.role) {
      throw new TypeError('Roles take turns.')
    }
    const parts = typeof content === 'string' ? [{ type: 'text', value: content }] : content
    if (parts.length === 0) throw new TypeError('A message is empty.')
    for (const { type, value } of parts) {
      if (type === 'text' && (typeof value !== 'string' || value.trim() === '')) {
        throw new TypeError('A text is empty.')
      }
      if (type === 'image' && (role !== 'user' || !wantsImages(session.expectedInputs))) {
        throw new DOMException('No images here.', 'NotSupportedError')
      }
      if (type === 'image' && !(value instanceof Blob)) throw new TypeError('No image.')
    }
  }
}

function checkFits(size: number, { contextWindow = Number.POSITIVE_INFINITY }: StandInOptions) {
  if (size > contextWindow) throw new DOMException('Too long.', 'QuotaExceededError')
}

function checkLanguages(expected: readonly ChromeExpected[]): void {
  for (const { languages } of expected) Intl.getCanonicalLocales(languages)
}

function wantsImages(expected: readonly ChromeExpected[] | undefined): boolean {
  return expected?.some(({ type }) => type === 'image') ?? false
}

function sizeOf(messages: readonly ChromeMessage[]): number {
  const sizes = messages.map(({ content }) =>
    typeof content === 'string' ? content.length : JSON.stringify(content).length,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const keywords = ['type', 'description', 'enum', 'const', 'required', 'items', 'anyOf']
const below = ['properties', 'additionalProperties']

/** Only keywords that every such engine supports. */
function checkConstraint(schema: unknown): void {
  if (schema === undefined || typeof schema === 'boolean') return
  if (typeof schema !== 'object' || schema === null) throw new TypeError('No schema.')
  for (const [keyword, value] of Object.entries(schema)) {
    if (![...keywords, ...below].includes(keyword)) {
      throw new DOMException(`"${keyword}" is not supported.`, 'NotSupportedError')
    }
    if (keyword === 'items' || keyword === 'additionalProperties') checkConstraint(value)
    if (keyword === 'anyOf' || keyword === 'properties') {
      for (const each of Object.values(value as object)) checkConstraint(each)
    }
  }
}

import { Validator } from '@cfworker/json-schema'
import { MLCEngine, WebWorkerMLCEngine, WebWorkerMLCEngineHandler } from '@mlc-ai/web-llm'
import { isList, isObject, type JsonObject } from '../../internal/json.ts'

export const modelName = 'Llama-3.2-3B-Instruct-q4f16_1-MLC'

/** What the model writes, a token at a time. */
export interface Script {
  readonly tokens: readonly string[]
  /** What happens after the last token. Default: `end`. */
  readonly ending?: 'end' | 'silence' | Error
  /** The answer breaks the schema it is held to, as no real one can. */
  readonly isUnheld?: boolean
}

/** One prompt, as it came to the model: all the engine's checks have passed. */
interface SeenPrompt {
  readonly system: string | undefined
  readonly history: readonly unknown[]
  readonly input: unknown
  readonly schema: JsonObject | undefined
}

export interface ModelOptions {
  readonly answer: (seen: SeenPrompt) => Script
  /** Tokens that fit, if that is limited: a letter of the prompt is one. */
  readonly contextWindow?: number
  readonly readsImages?: boolean
}

interface TestedEngine<Engine> {
  readonly engine: Engine
  /** What came to the model. */
  readonly seen: readonly SeenPrompt[]
  /** The most answers that were being written at the same moment. */
  readonly mostAtOnce: () => number
}

/**
 * The engine of WebLLM itself, with its checks, its lock and its stream; only the model, which needs a graphics device, is
 * a script.
 */
export function createEngine(options: ModelOptions): TestedEngine<MLCEngine> {
  const pipeline = createPipeline(options)
  const engine = new MLCEngine({ logLevel: 'SILENT' })
  Reflect.set(engine, 'getLLMStates', (_: string, asked?: string) => {
    if (asked !== undefined && asked !== modelName) {
      throw named('SpecifiedModelNotFoundError', `Specified model ${asked} is not found.`)
    }
    return [modelName, pipeline.methods, chatConfig]
  })
  put(engine, 'loadedModelIdToModelType', options.readsImages ? 2 : 0)
  put(engine, 'loadedModelIdToLock', createLock())
  return { engine, seen: pipeline.seen, mostAtOnce: pipeline.mostAtOnce }
}

/** The same engine behind the messages of a worker, so that errors arrive as texts. */
export function createWorkerEngine(options: ModelOptions): TestedEngine<WebWorkerMLCEngine> {
  const { engine: inside, ...rest } = createEngine(options)
  const handler = new WebWorkerMLCEngineHandler()
  handler.engine = inside
  handler.modelId = [modelName]
  const worker = {
    onmessage: (_: unknown): void => {},
    postMessage: (message: unknown): void => {
      const sent = structuredClone(message)
      setTimeout(() => handler.onmessage(sent))
    },
  }
  handler.postMessage = (message: unknown) => {
    const sent = structuredClone(message)
    setTimeout(() => worker.onmessage(sent))
  }
  const engine = new WebWorkerMLCEngine(worker)
  engine.modelId = [modelName]
  return { engine, ...rest }
}

const chatConfig = {
  conv_template: {
    system_template: '{system_message}',
    system_message: 'The engine’s own words.',
    roles: { user: 'user', assistant: 'assistant', tool: 'tool' },
    role_templates: {},
    seps: ['|'],
    stop_str: [],
    stop_token_ids: [],
  },
}

function put(engine: MLCEngine, name: string, value: unknown): void {
  const map: unknown = Reflect.get(engine, name)
  if (!(map instanceof Map)) throw new Error(`The engine has no ${name} any more.`)
  map.set(modelName, value)
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}

function createLock() {
  let isTaken = false
  const queue: (() => void)[] = []
  return {
    acquire: async (): Promise<void> => {
      if (isTaken) await new Promise<void>((resolve) => queue.push(resolve))
      isTaken = true
    },
    release: async (): Promise<void> => {
      const next = queue.shift()
      if (next) next()
      else isTaken = false
    },
  }
}

interface GenerationConfig {
  readonly max_tokens?: number | null
  readonly response_format?: { readonly schema?: string } | null
}

function createPipeline({ answer, contextWindow = Infinity }: ModelOptions) {
  const seen: SeenPrompt[] = []
  let conversation: unknown
  let script: Script = { tokens: [] }
  let written: string[] = []
  let finishReason = 'abort'
  let limit = Infinity
  let hasStopped = true
  let working = 0
  let mostAtOnce = 0

  function finish(reason: string): void {
    hasStopped = true
    finishReason = reason
    const { schema } = seen.at(-1) ?? {}
    if (reason !== 'stop' || !schema || script.isUnheld) return
    const { valid } = new Validator({ ...schema }, '2020-12').validate(JSON.parse(written.join('')))
    if (!valid) throw new Error('The script does not keep to the schema.')
  }

  async function step(): Promise<void> {
    working += 1
    mostAtOnce = Math.max(mostAtOnce, working)
    await new Promise((resolve) => setTimeout(resolve))
    working -= 1
    const token = script.tokens[written.length]
    if (token !== undefined && written.length < limit) written.push(token)
    if (written.length >= limit) return finish('length')
    if (written.length < script.tokens.length) return
    const { ending = 'end' } = script
    if (ending === 'end') return finish('stop')
    if (token !== undefined) return
    if (ending instanceof Error) throw ending
    await new Promise(() => {})
  }

  const methods = {
    setSeed: () => {},
    stopped: () => hasStopped,
    triggerStop: () => {
      if (!hasStopped) finish('abort')
    },
    getMessage: () => written.join(''),
    getFinishReason: () => finishReason,
    getTokenLogprobArray: () => [],
    resetChat: () => {},
    getConversationObject: () => conversation,
    setConversation: (next: unknown) => {
      conversation = next
    },
    prefillStep: async (...given: readonly [unknown, unknown, unknown, GenerationConfig]) => {
      const [input, , , config] = given
      const prompt = { ...fieldsOf(conversation), input, schema: schemaOf(config) }
      const size = JSON.stringify(prompt).length
      if (size > contextWindow) {
        throw named(
          'ContextWindowSizeExceededError',
          `Prompt tokens exceed context window: ${size}`,
        )
      }
      seen.push(prompt)
      script = answer(prompt)
      written = []
      hasStopped = false
      limit = config.max_tokens ?? Infinity
      await step()
    },
    decodeStep: step,
    getCurRoundCompletionTotalTokens: () => written.length,
    getCurRoundDecodingTotalTokens: () => written.length,
    getCurRoundPrefillTotalTokens: () => 7,
    getCurRoundPrefillTotalTime: () => 1,
    getCurRoundDecodingTotalTime: () => 1,
    getCurRoundPrefillTokensPerSec: () => 1,
    getCurRoundDecodingTokensPerSec: () => 1,
    getCurRoundGrammarInitTotalTime: () => 1,
    getCurRoundGrammarPerTokenTotalTime: () => 1,
  }
  return { methods, seen, mostAtOnce: () => mostAtOnce }
}

function fieldsOf(conversation: unknown) {
  const { override_system_message: system, messages } = isObject(conversation) ? conversation : {}
  return {
    system: typeof system === 'string' ? system : undefined,
    history: isList(messages) ? messages : [],
  }
}

/** The grammar's compiler takes nothing but the text of a schema. */
function schemaOf({ response_format: format }: GenerationConfig): JsonObject | undefined {
  if (!format) return undefined
  const schema: unknown = JSON.parse(format.schema ?? '')
  if (!isSchema(schema)) throw named('GrammarMatcherInitError', 'No schema.')
  return schema
}

function isSchema(value: unknown): value is JsonObject {
  return isObject(value)
}

/** Who answers: rules of the page itself, or a language model. */
export type Provider = 'planner' | 'anthropic' | 'openai' | 'chrome'

/** A provider that is reached over the network, and so has an address and perhaps a key. */
export type RemoteProvider = 'anthropic' | 'openai'

/** A server that speaks OpenAI's Chat Completions, with what has to be known about it. */
export interface Preset {
  readonly name: string
  readonly address: string
  /** A model to begin with; empty where every server has its own. */
  readonly model: string
  /** What to do before it answers a page. */
  readonly hint: string
}

export const presets: readonly Preset[] = [
  {
    name: 'OpenAI',
    address: 'https://api.openai.com/v1',
    model: 'gpt-5.5',
    hint: 'Needs a key of your own.',
  },
  {
    name: 'OpenRouter',
    address: 'https://openrouter.ai/api/v1',
    model: '',
    hint: 'Needs a key of your own. Models are called maker/model.',
  },
  {
    name: 'Ollama',
    address: 'http://localhost:11434/v1',
    model: 'qwen3',
    hint: 'No key. Start it with OLLAMA_ORIGINS set to the address of this page.',
  },
  {
    name: 'LM Studio',
    address: 'http://localhost:1234/v1',
    model: '',
    hint: 'No key. Allow pages to call it: lms server start --cors',
  },
  {
    name: 'vLLM',
    address: 'http://localhost:8000/v1',
    model: '',
    hint: 'No key. For tools, start it with --enable-auto-tool-choice and a --tool-call-parser.',
  },
]

/** The preset that an address belongs to, or none: an address of one's own. */
export function presetOf(address: string): Preset | undefined {
  return presets.find((preset) => preset.address === address)
}

/** Models that a text field suggests. Any other may be written there. */
export const suggestedModels: Readonly<Record<RemoteProvider, readonly string[]>> = {
  anthropic: ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
  openai: ['gpt-5.5'],
}

const askForKey: ReadonlySet<string> = new Set([
  'https://api.anthropic.com',
  'https://api.openai.com',
  'https://openrouter.ai',
])

/** Whether nobody is answered at this origin without a key. */
export function needsKey(origin: string): boolean {
  return askForKey.has(origin)
}

export function isRemote(provider: Provider): provider is RemoteProvider {
  return provider === 'anthropic' || provider === 'openai'
}

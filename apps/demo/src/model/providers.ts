/** What answers: the scripted planner, or a language model. */
export type Provider = 'planner' | 'anthropic' | 'openai' | 'chrome' | 'local'

/** A provider on the network. It has an address, and may need a key. */
export type RemoteProvider = 'anthropic' | 'openai'

/** A known server with OpenAI's Chat Completions API. */
export interface Preset {
  readonly name: string
  readonly address: string
  /** The model to suggest; empty if each server has its own models. */
  readonly model: string
  /** What the user must do before the server answers a page. */
  readonly hint: string
  /** The server takes PDFs beside texts and images. */
  readonly readsPdfs?: true
}

export const presets: readonly Preset[] = [
  {
    name: 'OpenAI',
    address: 'https://api.openai.com/v1',
    model: 'gpt-5.5',
    hint: 'Needs a key of your own.',
    readsPdfs: true,
  },
  {
    name: 'OpenRouter',
    address: 'https://openrouter.ai/api/v1',
    model: '',
    hint: 'Needs a key of your own. Models are called maker/model.',
    readsPdfs: true,
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

/** The preset with this address; `undefined` for any other address. */
export function presetOf(address: string): Preset | undefined {
  return presets.find((preset) => preset.address === address)
}

/** Models that the text field suggests. It accepts any other name. */
export const suggestedModels: Readonly<Record<RemoteProvider, readonly string[]>> = {
  anthropic: ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
  openai: ['gpt-5.5'],
}

const askForKey: ReadonlySet<string> = new Set([
  'https://api.anthropic.com',
  'https://api.openai.com',
  'https://openrouter.ai',
])

/** Whether this origin refuses requests without a key. */
export function needsKey(origin: string): boolean {
  return askForKey.has(origin)
}

export function isRemote(provider: Provider): provider is RemoteProvider {
  return provider === 'anthropic' || provider === 'openai'
}

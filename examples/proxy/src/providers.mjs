import { errorType } from './refusal.mjs'

/**
 * What the proxy needs for a provider.
 *
 * @typedef {object} Provider
 * @property {'anthropic' | 'openai'} name
 * @property {string} path What a page asks for.
 * @property {string} upstreamPath What that is below the provider's base URL.
 * @property {string} keyName The environment variable its key is in.
 * @property {readonly string[]} fields What a body may have beside `tokenFields`. One with any other field is refused.
 * @property {readonly [string, ...string[]]} tokenFields Where a body limits the answer; the first is added if none is there.
 * @property {readonly string[]} headers Headers of the page that are passed on. All others are not.
 * @property {(status: number, message: string) => object} errorBody An error as the provider writes it.
 */

/** @type {Provider} */
const anthropic = {
  name: 'anthropic',
  path: '/anthropic/v1/messages',
  upstreamPath: '/v1/messages',
  keyName: 'ANTHROPIC_API_KEY',
  fields: [
    ...['model', 'messages', 'system', 'stream', 'metadata', 'cache_control'],
    ...['tools', 'tool_choice', 'thinking', 'output_config', 'context_management'],
    ...['temperature', 'top_k', 'top_p', 'stop_sequences'],
  ],
  tokenFields: ['max_tokens'],
  headers: ['accept', 'anthropic-version', 'anthropic-beta'],
  errorBody: (status, message) => ({
    type: 'error',
    error: { type: errorType(status), message },
  }),
}

/** @type {Provider} */
const openai = {
  name: 'openai',
  path: '/openai/v1/chat/completions',
  upstreamPath: '/chat/completions',
  keyName: 'OPENAI_API_KEY',
  fields: [
    ...['model', 'messages', 'stream', 'stream_options', 'metadata', 'user', 'safety_identifier'],
    ...['tools', 'tool_choice', 'parallel_tool_calls', 'reasoning_effort', 'verbosity'],
    ...['temperature', 'top_p', 'stop', 'seed', 'frequency_penalty', 'presence_penalty'],
    ...['response_format', 'logit_bias', 'prompt_cache_key'],
  ],
  tokenFields: ['max_completion_tokens', 'max_tokens'],
  headers: ['accept'],
  errorBody: (status, message) => ({
    error: { message, type: errorType(status), param: null, code: null },
  }),
}

export const providers = { anthropic, openai }

/**
 * Whose client asked, to answer in its shape even where there is nothing to find.
 *
 * @param {string} path
 * @returns {Provider}
 */
export function providerOf(path) {
  return path.startsWith('/anthropic/') ? anthropic : openai
}

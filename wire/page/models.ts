import { anthropic } from '../../packages/core/src/anthropic.ts'
import type { Model } from '../../packages/core/src/index.ts'
import { openai } from '../../packages/core/src/openai.ts'
import type { Protocol } from '../exchange.ts'

/** The text to search for afterwards. It does not look like a key, so that no filter for keys removes it. */
export const canary = 'canary-7c1f0e5b-do-not-tell'

/** A model at an address without `/v1`. */
export function modelAt(baseURL: string, protocol: Protocol, apiKey = canary): Model {
  const options = { apiKey, maxTokens: 100 }
  return protocol === 'anthropic'
    ? anthropic({ model: 'claude-test', baseURL, ...options })
    : openai({ model: 'gpt-test', baseURL: `${baseURL}/v1`, ...options })
}

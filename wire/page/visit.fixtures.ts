import { inject } from 'vitest'
import { anthropic } from '../../packages/core/src/anthropic.ts'
import type { Model } from '../../packages/core/src/index.ts'
import { openai } from '../../packages/core/src/openai.ts'
import type { CorsPolicy } from '../cors.ts'
import type { Protocol } from '../exchange.ts'
import type { SeenRequest } from '../journal.ts'

/** What is searched for afterwards. It looks like no key, so that nothing recognises it as one. */
export const canary = 'canary-7c1f0e5b-do-not-tell'

/** The adapters under test. */
export const protocols: readonly Protocol[] = ['anthropic', 'openai']

/** What one test asks of the fault server. */
export interface Visit {
  readonly name: string
  /** A model whose requests get these replies, one after another. */
  readonly model: (replies: string, cors?: CorsPolicy) => Model
  readonly journal: () => Promise<Journal>
  /** Tells the server that what it sent was seen. */
  readonly seen: () => Promise<unknown>
}

export interface Journal {
  readonly requests: readonly SeenRequest[]
  readonly preflights: number
}

/** Begins a visit that no other test takes part in. */
export function beginVisit(protocol: Protocol): Visit {
  const name = `visit-${crypto.randomUUID()}`
  const faults = inject('faults')
  return {
    name,
    model: (replies, cors = 'open') => modelAt(`${faults}/${name}/${cors}/${replies}`, protocol),
    journal: () => journalAt(faults, name),
    seen: () => fetch(`${faults}/${name}/seen`, { method: 'POST' }),
  }
}

export async function journalAt(origin: string, name: string): Promise<Journal> {
  const response = await fetch(`${origin}/${name}/journal`)
  return (await response.json()) as Journal
}

/** A model at an address without `/v1`. */
export function modelAt(baseURL: string, protocol: Protocol, apiKey = canary): Model {
  const options = { apiKey, maxTokens: 100 }
  return protocol === 'anthropic'
    ? anthropic({ model: 'claude-test', baseURL, ...options })
    : openai({ model: 'gpt-test', baseURL: `${baseURL}/v1`, ...options })
}

/** What the model reads of its calls in a request, in order. */
export function resultsIn(body: unknown): readonly string[] {
  return messagesIn(body).flatMap((message) => {
    if (message.role === 'tool') return [textOf(message.content)]
    if (!Array.isArray(message.content)) return []
    return message.content.flatMap((block: Content) =>
      block.type === 'tool_result' ? [textOf(block.content)] : [],
    )
  })
}

/** Who says something in a request, in order; `system` left out. */
export function rolesIn(body: unknown): readonly string[] {
  return messagesIn(body)
    .map(({ role }) => role)
    .filter((role) => role !== 'system')
}

interface Content {
  readonly type?: string
  readonly text?: string
  readonly content?: unknown
}

function messagesIn(body: unknown): readonly { role: string; content: unknown }[] {
  return (body as { messages: readonly { role: string; content: unknown }[] }).messages
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as readonly Content[]).map(({ text = '' }) => text).join('')
}

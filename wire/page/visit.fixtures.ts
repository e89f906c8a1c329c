import { inject } from 'vitest'
import type { Model } from '../../packages/core/src/index.ts'
import type { CorsPolicy } from '../cors.ts'
import type { Protocol } from '../exchange.ts'
import type { SeenRequest, Stray } from '../journal.ts'
import { modelAt } from './models.ts'

/** The adapters under test. */
export const protocols: readonly Protocol[] = ['anthropic', 'openai']

/** The requests of one test to the fault server. */
export interface Visit {
  readonly name: string
  /** A model whose requests get these replies, one after another. */
  readonly model: (replies: string, cors?: CorsPolicy) => Model
  readonly journal: () => Promise<Journal>
  /** Reports to the server that what it sent was seen. */
  readonly seen: () => Promise<unknown>
}

export interface Journal {
  readonly requests: readonly SeenRequest[]
  readonly strays: readonly Stray[]
  readonly preflights: number
}

/** Starts a visit for one test alone. */
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

/** The results in a request as the model reads them, in order; `Error: ` stands before those marked as failed. */
export function resultsIn(body: unknown): readonly string[] {
  return messagesIn(body).flatMap((message) => {
    if (message.role === 'tool') return [textOf(message.content)]
    if (!Array.isArray(message.content)) return []
    return message.content.flatMap((block: Content) =>
      block.type === 'tool_result'
        ? [`${block.is_error === true ? 'Error: ' : ''}${textOf(block.content)}`]
        : [],
    )
  })
}

/** The roles of the messages in a request, in order; `system` left out. */
export function rolesIn(body: unknown): readonly string[] {
  return messagesIn(body)
    .map(({ role }) => role)
    .filter((role) => role !== 'system')
}

interface Content {
  readonly type?: string
  readonly text?: string
  readonly content?: unknown
  readonly is_error?: boolean
}

function messagesIn(body: unknown): readonly { role: string; content: unknown }[] {
  return (body as { messages: readonly { role: string; content: unknown }[] }).messages
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as readonly Content[]).map(({ text = '' }) => text).join('')
}

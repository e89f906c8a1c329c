import type { AssistantMessage, ChatMessage } from '@offthread/core'

/** A message of the user: the start of an exchange, or said within one. */
type UserTurn = Extract<ChatMessage, { role: 'user' }>
type Opening = Exclude<ChatMessage, AssistantMessage>

/**
 * A prompt and all that follows until the next one: in a chat, one message of the user and one answer of several steps.
 */
export interface Exchange {
  /** `null`: the conversation begins with an answer. */
  readonly opening: Opening | null
  /** The id of the first attempt at an answer: the same for all attempts, another one on another branch. */
  readonly answerId: string | null
  /** The answers, and the messages that were sent into the run. */
  readonly rest: readonly (AssistantMessage | UserTurn)[]
}

/** The exchanges of a conversation, oldest first. */
export function exchangesIn(messages: readonly ChatMessage[]): readonly Exchange[] {
  const exchanges: Writable[] = []
  for (const message of messages) {
    const last = exchanges.at(-1)
    if (!isWithin(message)) exchanges.push({ opening: message, answerId: null, rest: [] })
    else addTo(last ?? begin(exchanges), message)
  }
  return exchanges
}

interface Writable extends Exchange {
  answerId: string | null
  readonly rest: (AssistantMessage | UserTurn)[]
}

function begin(exchanges: Writable[]): Writable {
  const exchange: Writable = { opening: null, answerId: null, rest: [] }
  exchanges.push(exchange)
  return exchange
}

function addTo(exchange: Writable, message: AssistantMessage | UserTurn): void {
  if (message.role === 'assistant') exchange.answerId ??= message.id
  if (isKept(message)) exchange.rest.push(message)
}

/** The last exchange, found without reading the others. */
export function lastExchange(messages: readonly ChatMessage[]): Exchange | undefined {
  const start = messages.findLastIndex((message) => !isWithin(message))
  return exchangesIn(messages.slice(Math.max(0, start))).at(-1)
}

// A failed attempt is left out: another attempt, or the error of the run, takes its place.
function isKept(message: ChatMessage): boolean {
  const { stopReason } = { stopReason: undefined, ...message }
  return stopReason !== 'error' && stopReason !== 'refusal'
}

// A message that was sent into an active run belongs to the answer of that run.
function isWithin(message: ChatMessage): message is AssistantMessage | UserTurn {
  if (message.role === 'assistant') return true
  return message.role === 'user' && (message.source ?? 'prompt') !== 'prompt'
}

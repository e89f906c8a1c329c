import type { AgentEvent } from '@offthread/core'

/** What is looked for in a log. Everything named must fit. */
export interface EventQuery {
  /** Parts of types: `tool` finds all that is about calls. */
  readonly types: readonly string[]
  /** Ids of calls. */
  readonly calls: readonly string[]
  /** Names of tools, or parts of them. */
  readonly tools: readonly string[]
  /** Words that the event holds, wherever. */
  readonly words: readonly string[]
}

const fields: ReadonlyMap<string, keyof EventQuery> = new Map([
  ['type', 'types'],
  ['call', 'calls'],
  ['tool', 'tools'],
])

/** Reads a query as people write it: `type:tool_execution call:call_1 tool:sql berlin`. */
export function readQuery(text: string): EventQuery {
  const query: Record<keyof EventQuery, string[]> = { types: [], calls: [], tools: [], words: [] }
  for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) {
    const [name = '', value = ''] = word.split(/:(.*)/)
    const field = value === '' ? undefined : fields.get(name)
    query[field ?? 'words'].push(field ? value : word)
  }
  return query
}

/** Whether an event is one that was looked for. Of several types, calls or tools one is enough; of words all count. */
export function matches(query: EventQuery, event: AgentEvent): boolean {
  const { types, calls, tools, words } = query
  const call = 'toolCallId' in event ? (event.toolCallId ?? '') : ''
  const tool = 'toolName' in event ? event.toolName : ''
  return (
    isOne(types, (type) => event.type.includes(type)) &&
    isOne(calls, (id) => call.toLowerCase() === id) &&
    isOne(tools, (name) => tool.toLowerCase().includes(name)) &&
    (words.length === 0 || holds(event, words))
  )
}

function isOne(wanted: readonly string[], fits: (one: string) => boolean): boolean {
  return wanted.length === 0 || wanted.some(fits)
}

function holds(event: AgentEvent, words: readonly string[]): boolean {
  const text = JSON.stringify(event).toLowerCase()
  return words.every((word) => text.includes(word))
}

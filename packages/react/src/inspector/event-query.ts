import type { AgentEvent } from '@offthread/core'

/** What is looked for in a log. Everything named must fit. */
export interface EventQuery {
  /** Parts of types: `tool` finds all that is about calls. */
  readonly types: readonly string[]
  /** Ids of calls. */
  readonly calls: readonly string[]
  /** Names of tools, or parts of them. */
  readonly tools: readonly string[]
  /** The levels that an event may have: see `levelsOf`. */
  readonly levels: readonly string[]
  /** Words that the event holds, wherever. */
  readonly words: readonly string[]
}

/** An event with what a query needs of it. */
export interface QueriedEvent {
  readonly event: AgentEvent
  /** The tool that it is about; most events of a call do not name it. */
  readonly tool: string
  /** The event as JSON. */
  readonly json: () => string
}

const fields: ReadonlyMap<string, keyof EventQuery> = new Map([
  ['type', 'types'],
  ['call', 'calls'],
  ['tool', 'tools'],
  ['level', 'levels'],
])

/** Reads a query as people write it: `type:tool_execution call:call_1 tool:sql level:error berlin`. */
export function readQuery(text: string): EventQuery {
  const query: Record<keyof EventQuery, string[]> = {
    ...{ types: [], calls: [], tools: [], levels: [], words: [] },
  }
  for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) {
    const [name = '', value = ''] = word.split(/:(.*)/)
    const field = value === '' ? undefined : fields.get(name)
    query[field ?? 'words'].push(field ? value : word)
  }
  return query
}

/**
 * Whether a query finds an event. One of its types, of its calls, of its tools and of its levels has to fit, and all of
 * its words.
 */
export function matches(query: EventQuery, { event, tool, json }: QueriedEvent): boolean {
  const { types, calls, tools, levels, words } = query
  const call = 'toolCallId' in event ? (event.toolCallId ?? '') : ''
  return (
    isOne(types, (type) => event.type.includes(type)) &&
    isOne(calls, (id) => call.toLowerCase() === id) &&
    isOne(tools, (name) => tool.toLowerCase().includes(name)) &&
    isOne(levels, (level) => levelsOf(event).includes(level)) &&
    (words.length === 0 || holds(json(), words))
  )
}

/**
 * The levels of the lines that a tool logged; for any other event `error` if something failed, and `warn` if something
 * is odd.
 */
export function levelsOf(event: AgentEvent): readonly string[] {
  switch (event.type) {
    case 'tool_log':
      return event.lines.map(({ level }) => level)
    case 'tool_execution_end':
      return event.outcome === 'failed' || event.outcome === 'timed_out' ? ['error'] : []
    case 'message_end':
    case 'agent_end':
      return event.error ? ['error'] : []
    case 'warning':
    case 'loop_detected':
    case 'input_rejected':
    case 'auto_retry_start':
      return ['warn']
    default:
      return []
  }
}

function isOne(wanted: readonly string[], fits: (one: string) => boolean): boolean {
  return wanted.length === 0 || wanted.some(fits)
}

function holds(json: string, words: readonly string[]): boolean {
  const text = json.toLowerCase()
  return words.every((word) => text.includes(word))
}

import {
  type Agent,
  type AgentEvent,
  type AgentOptions,
  createAgent,
  defineTool,
  type EventOf,
  implement,
  inPage,
  type Model,
  type Tool,
  type ToolSchema,
} from '../../packages/core/src/index.ts'
import { jsonSchema } from '../../packages/core/src/json-schema.ts'

/** An agent with two tools, and its events. */
export interface Conversation {
  readonly agent: Agent
  readonly events: readonly AgentEvent[]
  readonly eventsOf: <Type extends AgentEvent['type']>(type: Type) => readonly EventOf<Type>[]
  /** The cities of the calls that ran; an empty text for a call without one. */
  readonly ran: readonly string[]
}

/** Answers noon for every city. */
export const clock: Tool<'clock', ToolSchema<{ city: string }>, undefined> = defineTool({
  name: 'clock',
  description: 'Tells the time in a city.',
  inputSchema: jsonSchema<{ city: string }>({
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  }),
})

/** The same on the page. */
const clockOnPage = { ...clock, place: 'page' } as const

const now = defineTool({
  name: 'now',
  description: 'Tells the time here.',
  place: 'page',
  inputSchema: jsonSchema({ type: 'object', properties: {} }),
})

/** Starts a conversation that retries without a pause, with a clock that always says noon. */
export function converse(model: Model, options: Partial<AgentOptions> = {}): Conversation {
  const ran: string[] = []
  const events: AgentEvent[] = []
  const agent = createAgent({
    model,
    system: 'Be brief.',
    tools: inPage([
      implement(clockOnPage, ({ city }) => {
        ran.push(city)
        return `12:00 in ${city}`
      }),
      implement(now, () => {
        ran.push('')
        return '12:00'
      }),
    ]),
    retry: { baseMs: 1, capMs: 5 },
    ...options,
  })
  agent.subscribe((event) => events.push(event))
  return {
    agent,
    events,
    ran,
    eventsOf: (type) =>
      events.filter((event): event is EventOf<typeof type> => event.type === type),
  }
}

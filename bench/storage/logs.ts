import {
  type AgentEvent,
  type DurableEvent,
  type Fact,
  isDurable,
} from '../../packages/core/src/kernel/events.ts'
import {
  agentEnd,
  agentStart,
  answer,
  call,
  delivered,
  dispatched,
  ended,
  logOf,
  opened,
  prepared,
  said,
  starts,
  text,
  toolMessage,
  toolsEnd,
  turnEnd,
  turnStart,
} from '../../packages/core/src/kernel/log.fixtures.ts'

const callsPerTurn = 20

/** The sessions that are opened, by their names. */
export const logs = {
  '1,000 events': () => chat(125),
  '10,000 events': () => chat(1_250),
  '100,000 events': () => chat(12_500),
  '10,000 messages': () => chat(5_000),
  '20,000 tool calls': () => calls(1_000),
} satisfies Readonly<Record<string, () => readonly DurableEvent[]>>

/** Prompts, each with its answer. */
function chat(exchanges: number): readonly DurableEvent[] {
  return durable(opened(), ...Array.from({ length: exchanges }, (_, n) => exchange(n)))
}

/** One run with many turns of many calls. */
function calls(turns: number): readonly DurableEvent[] {
  return durable(
    opened(),
    agentStart(),
    ...Array.from({ length: turns }, (_, n) => turnOfCalls(n)),
    agentEnd(),
  )
}

function durable(...facts: readonly (Fact | readonly Fact[])[]): readonly DurableEvent[] {
  return logOf(...facts).filter((event: AgentEvent) => isDurable(event))
}

function exchange(n: number): readonly Fact[] {
  return [
    agentStart(`Question ${n}`),
    turnStart,
    ...said(`user_${n}`, `Question ${n}`),
    ...answer(`says_${n}`, [text(`${n} some words `.repeat(10))]),
    turnEnd(),
    agentEnd(),
  ]
}

function turnOfCalls(n: number): readonly Fact[] {
  const made = Array.from({ length: callsPerTurn }, (_, i) =>
    call(`call_${n}_${i}`, 'add', `{"a":${n},"b":${i}}`),
  )
  const messages = made.map(({ toolCallId }) => toolMessage(toolCallId))
  return [
    turnStart,
    ...answer(`asks_${n}`, made),
    ...starts(...made),
    ...made.flatMap(({ toolCallId }) => [
      prepared(toolCallId),
      dispatched(toolCallId),
      ended(toolCallId),
    ]),
    toolsEnd(...messages),
    ...messages.flatMap((message, i) => delivered(`result_${n}_${i}`, message)),
    turnEnd(),
  ]
}

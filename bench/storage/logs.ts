import { chat } from '../../packages/core/src/agent/session/long-log.fixtures.ts'
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
  starts,
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

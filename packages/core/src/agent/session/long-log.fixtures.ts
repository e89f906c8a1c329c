import { type AgentEvent, type DurableEvent, type Fact, isDurable } from '../../kernel/events.ts'
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
} from '../../kernel/log.fixtures.ts'

/** The log of so many prompts, each with its answer: one event, and eight and the `notes` for each. */
export function chat(exchanges: number, notes = 0): readonly DurableEvent[] {
  const all = Array.from({ length: exchanges }, (_, n) => [...exchange(n), ...notesOf(n, notes)])
  return stored(opened(), ...all)
}

/** Facts that the state does not hold. */
function notesOf(n: number, notes: number): readonly Fact[] {
  return Array.from({ length: notes }, (_, i) => {
    return { type: 'warning', code: 'note', message: `Note ${i} about answer ${n}.` }
  })
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

const callsPerTurn = 20

/** The log of one run with so many turns of 20 calls each: three events, and 125 for each turn. */
export function calls(turns: number): readonly DurableEvent[] {
  const all = Array.from({ length: turns }, (_, n) => turnOfCalls(n))
  return stored(opened(), agentStart(), ...all, agentEnd())
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

function stored(...facts: readonly (Fact | readonly Fact[])[]): readonly DurableEvent[] {
  return logOf(...facts).filter((event: AgentEvent) => isDurable(event))
}

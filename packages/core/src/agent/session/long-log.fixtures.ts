import { type AgentEvent, type DurableEvent, type Fact, isDurable } from '../../kernel/events.ts'
import {
  agentEnd,
  agentStart,
  answer,
  logOf,
  opened,
  said,
  text,
  turnEnd,
  turnStart,
} from '../../kernel/log.fixtures.ts'

/** The log of so many prompts, each with its answer: one event, and eight for each. */
export function chat(exchanges: number): readonly DurableEvent[] {
  const runs = Array.from({ length: exchanges }, (_, n) => exchange(n))
  return logOf(opened(), ...runs).filter((event: AgentEvent) => isDurable(event))
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

/**
 * The cost of one event in the kernel, by the number of events before it. `fold` and `decide` should cost the same
 * at any length; building a request is linear in the history and is listed apart.
 */
import { performance } from 'node:perf_hooks'
import { decide } from '../packages/core/src/kernel/decide.ts'
import type { AgentEvent, Fact } from '../packages/core/src/kernel/events.ts'
import { fold } from '../packages/core/src/kernel/fold.ts'
import {
  agentEnd,
  agentStart,
  answer,
  answerStart,
  call,
  config,
  delivered,
  dispatched,
  ended,
  logOf,
  opened,
  prepared,
  running,
  said,
  starts,
  streamed,
  text,
  toolMessage,
  toolsEnd,
  turnEnd,
  turnStart,
} from '../packages/core/src/kernel/log.fixtures.ts'
import { emptyState, type State } from '../packages/core/src/kernel/state.ts'
import { transcript } from '../packages/core/src/kernel/transcript.ts'

const lengths = [100, 1_000, 10_000, 100_000]
const measured = 4_000
const rounds = 15

const log = logOf(opened(), ...Array.from({ length: 3_000 }, (_, n) => run(n)))
const states = statesAt(log)
// Interleaved, so that other load of the machine affects all lengths alike.
const times = Array.from({ length: rounds }, () => lengths.map(perEvent))
const requests = lengths.map(requestTime)

console.log('events before   fold + decide, µs per event   building a request, µs')
for (const [index, length] of lengths.entries()) {
  const perEventMicros = median(times.map((round) => round[index] ?? 0))
  console.log(
    `${String(length).padStart(13)}   ${perEventMicros.toFixed(2).padStart(27)}   ${(requests[index] ?? 0).toFixed(0).padStart(22)}`,
  )
}
const [shortest, longest] = [lengths.indexOf(100), lengths.indexOf(100_000)]
const growth = median(times.map((round) => (round[longest] ?? 0) / (round[shortest] ?? 1)))
console.log(`growth from 100 to 100,000: ${growth.toFixed(2)} ×`)

/** A prompt, answered with two calls and a text of ten deltas. */
function run(n: number): readonly Fact[] {
  const [a, b] = [call(`call_${n}a`, 'add', `{"n":${n}}`), call(`call_${n}b`, 'add')]
  const [first, second] = [toolMessage(a.toolCallId), toolMessage(b.toolCallId)]
  return [
    agentStart(`Question ${n}`),
    turnStart,
    ...said(`user_${n}`, `Question ${n}`),
    ...answer(`asks_${n}`, [text('Let me see.'), a, b]),
    ...starts(a, b),
    ...[a, b].flatMap(({ toolCallId }) => [
      prepared(toolCallId),
      dispatched(toolCallId),
      running(toolCallId),
      ended(toolCallId),
    ]),
    toolsEnd(first, second),
    ...delivered(`first_${n}`, first),
    ...delivered(`second_${n}`, second),
    turnEnd(),
    turnStart,
    answerStart(`says_${n}`),
    ...streamed(`says_${n}`, ...Array.from({ length: 10 }, () => 'some words ')),
    ...answer(`says_${n}`, [text('some words '.repeat(10))]).slice(1),
    turnEnd(),
    agentEnd(),
  ]
}

function statesAt(events: readonly AgentEvent[]): ReadonlyMap<number, State> {
  const found = new Map<number, State>()
  let state = emptyState('session_1')
  for (const [index, event] of events.entries()) {
    if (lengths.includes(index)) found.set(index, state)
    state = fold(state, event)
  }
  return found
}

function stateAt(length: number): State {
  const state = states.get(length)
  if (!state) throw new Error(`The log is shorter than ${length} events.`)
  return state
}

function perEvent(length: number): number {
  let state = stateAt(length)
  const begun = performance.now()
  for (const event of log.slice(length, length + measured)) {
    state = fold(state, event)
    decide(state, config)
  }
  return ((performance.now() - begun) / measured) * 1000
}

function requestTime(length: number): number {
  const state = stateAt(length)
  return median(
    Array.from({ length: rounds }, () => {
      const begun = performance.now()
      transcript(state, config.maxToolResultChars)
      return (performance.now() - begun) * 1000
    }),
  )
}

function median(values: readonly number[]): number {
  return values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? 0
}

/** Plans of every kind, for `rehearse`. */

import fc from 'fast-check'
import type { AnswerPlan, CallPlan, Move, Plan, RunPlan } from './rehearsal.fixtures.ts'

const anyCall: fc.Arbitrary<CallPlan> = fc.record({
  toolName: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('add', 'draw') },
    { weight: 1, arbitrary: fc.constantFrom('nobody', 'constructor', '__proto__') },
  ),
  argsText: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('{}', '', '{"a":1}') },
    { weight: 1, arbitrary: fc.constantFrom('[]', 'null', '{', '{"a":1e999}') },
  ),
  fitsSchema: fc.nat({ max: 6 }).map((n) => n > 0),
  ending: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('returns', 'terminates') },
    { weight: 4, arbitrary: fc.constantFrom('throws', 'crashes', 'times_out', 'not_started') },
    { weight: 1, arbitrary: fc.constant('hangs') },
  ),
  words: fc.constantFrom('', 'done', 'a'.repeat(130)),
  updates: fc.nat({ max: 2 }),
  deaf: fc.boolean(),
})

const anyAnswer: fc.Arbitrary<AnswerPlan> = fc
  .record({
    words: fc.constantFrom('', ' ', 'Let me see.'),
    calls: fc.array(anyCall, { maxLength: 6 }),
    otherStop: fc.option(
      fc.constantFrom('stop', 'max_tokens', 'refusal', 'pause_turn', 'context_overflow'),
      { freq: 6, nil: undefined },
    ),
    fails: fc.nat({ max: 9 }).map((n) => n === 0),
  })
  .map(({ otherStop, ...answer }) => ({
    ...answer,
    stopReason: otherStop ?? (answer.calls.length > 0 ? 'tool_use' : 'stop'),
  }))

const anyRun: fc.Arbitrary<RunPlan> = fc.record({
  maxTurns: fc.constantFrom(null, 1, 2, 3),
  answers: fc.array(anyAnswer, { minLength: 1, maxLength: 3 }),
})

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ type: fc.constant('go'), pick: fc.nat({ max: 20 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel'), pick: fc.nat({ max: 20 }) }) },
  { weight: 1, arbitrary: fc.constant({ type: 'abort' } as const) },
)

export const anyPlan: fc.Arbitrary<Plan> = fc.record({
  runs: fc.array(anyRun, { minLength: 1, maxLength: 2 }),
  moves: fc.array(anyMove, { maxLength: 120, size: 'max' }),
})

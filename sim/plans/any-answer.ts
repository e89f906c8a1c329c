import fc from 'fast-check'
import {
  type TalkKind,
  type TalkStep,
  talkKinds,
} from '../../packages/core/src/tools/fixtures/talk.fixtures.ts'
import type {
  AnswerKind,
  AnswerPlan,
  Behaviour,
  CallPlan,
  EndPlan,
  PartPlan,
  ToolName,
} from '../plan.ts'
import type { Palette } from './faults.ts'
import { maybe, mostly } from './maybe.ts'

/** An answer whose faults are not chosen yet. A `fault` picks one of those that the plan may use; `null` is none. */
export interface RawAnswer {
  readonly parts: readonly RawPart[]
  readonly fault: number | null
  readonly deaf: boolean
  readonly paceMs: number
  readonly tokens: number
  readonly retryAfterMs: number | null
}

type RawPart = Exclude<PartPlan, CallPlan> | RawCall

interface RawCall {
  readonly call: ToolName
  readonly args: CallPlan['args'] | null
  readonly fault: number | null
  /** What the code sends before its fault, or without one. */
  readonly says: CallPlan['says'] | null
  readonly checks: CallPlan['checks'] | null
  readonly files: number | null
  readonly ms: number
}

const anyStep = (maxTimes: number): fc.Arbitrary<TalkStep> =>
  fc.record({
    say: fc.array(fc.constantFrom<TalkKind>(...talkKinds), { minLength: 1, maxLength: 3 }),
    times: fc.integer({ min: 1, max: maxTimes }),
    afterMs: fc.constantFrom(0, 0, 1, 20, 60),
  })

/** Mostly a few words; a flood seldom, because it has a thousand of events. */
const anySpeech: fc.Arbitrary<readonly TalkStep[]> = fc.oneof(
  { weight: 200, arbitrary: fc.array(anyStep(4), { minLength: 1, maxLength: 6 }) },
  { weight: 1, arbitrary: fc.array(anyStep(800), { minLength: 1, maxLength: 4 }) },
)

const anyCheck = ['lets', 'lets', 'slow', 'throws', 'rejects', 'hangs'] as const

const anyChecks: fc.Arbitrary<NonNullable<CallPlan['checks']>> = fc.record({
  validates: fc.constantFrom(...anyCheck),
  asks: fc.constantFrom(...anyCheck, 'yes'),
})

const anyCall: fc.Arbitrary<RawCall> = fc.record({
  call: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('work', 'work', 'alone', 'repeat', 'retry') },
    {
      weight: 6,
      arbitrary: fc.constantFrom('forever', 'ask', 'client', 'page', 'verify', 'fussy'),
    },
    { weight: 2, arbitrary: fc.constant('delegate') },
    { weight: 1, arbitrary: fc.constantFrom('missing', '__proto__') },
  ) as fc.Arbitrary<ToolName>,
  args: maybe(10, fc.constantFrom('misfit', 'broken', 'list', 'same')),
  fault: maybe(50, fc.nat({ max: 30 })),
  says: maybe(50, anySpeech),
  checks: maybe(50, anyChecks),
  files: maybe(25, fc.constantFrom(1, 2)),
  ms: fc.constantFrom(0, 1, 5, 20, 80, 300),
})

const anyPart: fc.Arbitrary<RawPart> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ say: fc.constantFrom('Let me see.', ' ', '…') }) },
  { weight: 1, arbitrary: fc.record({ think: fc.constantFrom('Hm.', 'So.') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      answer: fc.constantFrom<AnswerKind>('fits', 'fits_plainly', 'misfits', 'is_broken'),
    }),
  },
  { weight: 5, arbitrary: anyCall },
)

const anyAnswer: fc.Arbitrary<RawAnswer> = fc.record({
  parts: mostly(
    fc.array(anyPart, { maxLength: 2 }),
    fc.array(anyPart, { minLength: 3, maxLength: 6 }),
  ),
  fault: maybe(20, fc.nat({ max: 30 })),
  deaf: maybe(20, fc.constant(true)).map((deaf) => deaf === true),
  paceMs: fc.constantFrom(0, 0, 1, 30),
  tokens: fc.constantFrom(10, 0, 100),
  retryAfterMs: maybe(30, fc.constantFrom(0, 50, 5000, 100_000)),
})

export const anyAnswers: fc.Arbitrary<readonly RawAnswer[]> = mostly(
  fc.array(anyAnswer, { minLength: 1, maxLength: 2 }),
  fc.array(anyAnswer, { minLength: 3, maxLength: 6 }),
)

export function answersOf(answers: readonly RawAnswer[], palette: Palette): readonly AnswerPlan[] {
  return answers.map((answer) => answerOf(answer, palette))
}

function answerOf(raw: RawAnswer, palette: Palette): AnswerPlan {
  const parts = raw.parts.map((part) => partOf(part, palette))
  const calls = parts.some((part) => 'call' in part)
  return {
    parts,
    end: faultyEnd(raw, palette) ?? { stop: calls ? 'tool_use' : 'stop' },
    ...(raw.paceMs > 0 && { paceMs: raw.paceMs }),
    ...(raw.deaf && palette.deaf && { deaf: true }),
    ...(raw.tokens !== 10 && { tokens: raw.tokens }),
  }
}

function faultyEnd({ fault, retryAfterMs }: RawAnswer, { ends }: Palette): EndPlan | null {
  if (fault === null) return null
  const end = ends[fault % ends.length]
  if (!end) return null
  return 'fail' in end && retryAfterMs !== null ? { ...end, retryAfterMs } : end
}

/** What code does that comes to no good end, and may have reported something before. */
const failures: ReadonlySet<Behaviour> = new Set([
  'throws',
  'hangs',
  'deaf',
  'crashes',
  'breaks',
  'ends_after_stop',
])

function partOf(part: RawPart, { tools, misfit }: Palette): PartPlan {
  if ('answer' in part && !misfit && !part.answer.startsWith('fits')) return { answer: 'fits' }
  if (!('call' in part)) return part
  const { call, args, ms, fault, says, checks, files } = part
  const does = fault === null ? undefined : tools[fault % tools.length]
  return {
    call,
    ...(args && { args }),
    does: does ?? (says ? 'reports' : 'fine'),
    ms,
    ...(says && (!does || failures.has(does)) && { says }),
    ...(files && { files }),
    ...(call === 'fussy' && checks && { checks }),
  }
}

import fc from 'fast-check'
import {
  type AnswerPlan,
  type AudiencePlan,
  isDeed,
  type OutputPlan,
  type PagesPlan,
  type Plan,
  type SubPlan,
  type ToolName,
} from '../plan.ts'
import { actionsOf, actionsOfPages, anyAction, anyActions, type RawAction } from './any-action.ts'
import { answersOf, anyAnswers, type RawAnswer } from './any-answer.ts'
import { anyOptions } from './any-options.ts'
import { allFaults, type Fault, type Palette, paletteOf } from './faults.ts'
import { maybe } from './maybe.ts'

/** The faults of a plan: in one of ten plans none, in another one alone, in the others any subset. */
const anyFaults: fc.Arbitrary<readonly Fault[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.constantFrom(...allFaults).map((fault) => [fault]) },
  { weight: 8, arbitrary: fc.subarray([...allFaults]) },
)

interface RawPlan {
  readonly seed: number
  readonly faults: readonly Fault[]
  readonly options: Plan['options']
  readonly output: OutputPlan | null
  readonly sub: RawSub | null
  readonly answers: readonly RawAnswer[]
  readonly starts: readonly (readonly [worker: number, pick: number])[]
  readonly actions: readonly RawAction[]
  readonly leaves: boolean
  readonly audience: readonly RawListener[] | null
  /** In some answers all calls are the same, or all end the run: this seldom happens by chance. */
  readonly manner: 'same' | 'terminates' | null
  readonly pages: RawPages | null
  readonly volatile: boolean
  readonly diskMs: number | null
  readonly loads: readonly (readonly [load: number, pick: number])[]
  readonly appends: readonly (readonly [append: number, pick: number, ms: number])[]
  readonly files: readonly (readonly [file: number, pick: number, ms: number])[]
}

const anyOutput: fc.Arbitrary<OutputPlan> = fc.record({
  schema: fc.constantFrom('json', 'open', 'live'),
  validates: fc.constantFrom('lets', 'lets', 'lets', 'slow', 'throws', 'rejects', 'hangs'),
  maxRepairs: fc.constantFrom(0, 1, 2),
  isNative: fc.boolean(),
})

interface RawSub {
  readonly answers: readonly RawAnswer[]
  readonly deeper: readonly RawAnswer[]
  readonly maxTurns: number | null
  readonly isSequential: boolean
  readonly maxTokens: number | null
}

const anySub: fc.Arbitrary<RawSub> = fc.record({
  answers: anyAnswers,
  deeper: anyAnswers,
  maxTurns: maybe(30, fc.constantFrom(1, 2)),
  isSequential: fc.boolean(),
  maxTokens: maybe(10, fc.constant(25)),
})

interface RawPages {
  readonly ownLocks: boolean
  readonly fullClaim: number | null
  readonly actions: readonly RawAction[]
  readonly messages: readonly (readonly [message: number, pick: number, ms: number])[]
}

const anyPages: fc.Arbitrary<RawPages> = fc.record({
  ownLocks: maybe(40, fc.constant(true)).map((own) => own === true),
  fullClaim: maybe(15, fc.nat({ max: 3 })),
  actions: fc.array(anyAction, { minLength: 1, maxLength: 6 }),
  messages: fc.array(
    fc.tuple(fc.nat({ max: 16 }), fc.nat({ max: 20 }), fc.constantFrom(1, 60, 4000)),
    { maxLength: 6 },
  ),
})

interface RawListener {
  readonly does: AudiencePlan['does']
  readonly action: RawAction
  readonly seq: number
}

const anyListener: fc.Arbitrary<RawListener> = fc.record({
  does: fc.constantFrom('reads', 'reads', 'throws', 'dawdles', 'calls_back'),
  action: anyAction,
  seq: fc.nat({ max: 40 }),
})

const anyRawPlan: fc.Arbitrary<RawPlan> = fc.record({
  seed: fc.nat({ max: 0xffff }),
  faults: anyFaults,
  options: anyOptions,
  output: maybe(25, anyOutput),
  sub: maybe(25, anySub),
  answers: anyAnswers,
  starts: fc.array(fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 20 })), { maxLength: 3 }),
  actions: anyActions,
  leaves: maybe(25, fc.constant(true)).map((leaves) => leaves === true),
  audience: maybe(35, fc.array(anyListener, { minLength: 1, maxLength: 3 })),
  manner: maybe(15, fc.constantFrom('same', 'terminates')),
  pages: maybe(25, anyPages),
  volatile: maybe(10, fc.constant(true)).map((volatile) => volatile === true),
  diskMs: maybe(20, fc.constantFrom(1, 3, 20)),
  loads: maybe(10, fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 20 }))).map((load) =>
    load ? [load] : [],
  ),
  appends: fc.array(
    fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 20 }), fc.constantFrom(1, 10, 400)),
    { maxLength: 3 },
  ),
  files: fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 20 }), fc.constantFrom(1, 10, 400)), {
    maxLength: 3,
  }),
})

/** Any plan. A fault that a plan may not use does not occur in it. */
export const anyPlan: fc.Arbitrary<Plan> = anyRawPlan.map(planOf)

function planOf({
  seed,
  faults,
  options,
  output,
  sub,
  leaves,
  audience,
  manner,
  pages,
  volatile,
  diskMs,
  ...raw
}: RawPlan): Plan {
  const palette = paletteOf(faults)
  const loads = raw.loads.flatMap(([load, pick]) => {
    const fault = palette.loads[pick % palette.loads.length]
    return fault ? [{ load, fault }] : []
  })
  return {
    seed,
    options,
    answers: answersOf(raw.answers, palette).map((answer) =>
      inManner(delegating(answer, sub ? 'delegate' : 'work'), manner),
    ),
    ...(output && { output }),
    ...(sub && { sub: subOf(sub, palette) }),
    ...(audience && { audience: audience.flatMap((one) => listenersOf(one, palette)) }),
    ...(leaves && { leaves }),
    starts: raw.starts.flatMap(([worker, pick]) => {
      const fault = palette.starts[pick % palette.starts.length]
      return fault ? [{ worker, fault }] : []
    }),
    ...(pages
      ? {
          actions: actionsOfPages(raw.actions, pages.actions, palette),
          pages: pagesOf(pages, palette),
        }
      : { actions: actionsOf(raw.actions, palette) }),
    ...(volatile && !pages && { volatile }),
    ...(diskMs !== null && { diskMs }),
    ...(loads.length > 0 && { loads }),
    files: raw.files.flatMap(([file, pick, ms]) => {
      const fault = palette.files[pick % palette.files.length]
      return fault ? [{ file, fault, ms }] : []
    }),
    appends: [...raw.appends, ...longAppends(seed, pages)].flatMap(([append, pick, ms]) => {
      const fault = palette.appends[pick % palette.appends.length]
      if (!fault) return []
      // A storage is full for a while, in which its pages come and go.
      const times = fault === 'full' && pages ? 1 + (pick % 4) : 1
      return Array.from({ length: times }, (_, more) => ({ append: append + more, fault, ms }))
    }),
  }
}

/** Where pages do not know of each other's locks, one that waits for an append does not know that it was replaced. */
function longAppends(seed: number, pages: RawPages | null): RawPlan['appends'] {
  return pages?.ownLocks ? [[1 + (seed % 4), seed, 2000]] : []
}

function listenersOf(
  { does, action, seq }: RawListener,
  palette: Palette,
): readonly AudiencePlan[] {
  if (does !== 'calls_back') return [{ does }]
  return actionsOf([action], palette).flatMap((deed) => (isDeed(deed) ? [{ does, seq, deed }] : []))
}

function pagesOf({ ownLocks, fullClaim, messages }: RawPages, palette: Palette): PagesPlan {
  return {
    ...(ownLocks && { ownLocks }),
    ...(fullClaim !== null && { fullClaim }),
    messages: messages.flatMap(([message, pick, ms]) => {
      const fault = palette.messages[pick % palette.messages.length]
      return fault ? [{ message, fault, ms }] : []
    }),
  }
}

function subOf(sub: RawSub, palette: Palette): SubPlan {
  const { maxTurns, isSequential, maxTokens } = sub
  const scriptOf = (answers: readonly RawAnswer[], tool: ToolName) =>
    answersOf(answers, palette).map((answer) => delegating(answer, tool))
  return {
    answers: scriptOf(sub.answers, 'deeper'),
    deeper: scriptOf(sub.deeper, 'work'),
    ...(maxTurns !== null && { maxTurns }),
    ...(isSequential && { toolExecution: 'sequential' }),
    ...(maxTokens !== null && { budget: { maxTokens } }),
  }
}

/** An answer in which this tool replaces the tool that starts sub-agents. */
function delegating(answer: AnswerPlan, tool: ToolName): AnswerPlan {
  const isAgent = (call: ToolName): boolean =>
    call === 'delegate' || (tool !== 'work' && call === 'forever')
  const parts = answer.parts.map((part) =>
    'call' in part && isAgent(part.call) ? { ...part, call: tool } : part,
  )
  return { ...answer, parts }
}

function inManner(answer: AnswerPlan, manner: RawPlan['manner']): AnswerPlan {
  if (manner === null) return answer
  const parts = answer.parts.map((part) => {
    if (!('call' in part)) return part
    if (manner === 'same') return { ...part, call: 'work', args: 'same' } as const
    return part.does === 'fine' ? ({ ...part, does: 'terminates' } as const) : part
  })
  return { ...answer, parts }
}

import fc from 'fast-check'
import type { CompactionPlan, HooksPlan, OptionsPlan } from '../plan.ts'
import { maybe } from './maybe.ts'

/** Mostly a hook does nothing, so `lets` is the most likely. */
const usually = ['lets', 'lets', 'lets', 'slow'] as const
const faulty = ['throws', 'rejects', 'hangs'] as const

const anyHooks: fc.Arbitrary<HooksPlan> = fc.record(
  {
    prompt: fc.constantFrom(...usually, ...faulty, 'blocks', 'rewrites'),
    before: fc.constantFrom(...usually, ...faulty, 'blocks', 'rewrites', 'asks', 'terminates'),
    after: fc.constantFrom(...usually, ...faulty, 'rewrites', 'terminates'),
    context: fc.constantFrom(...usually, ...faulty, 'rewrites', 'spoils'),
  },
  { requiredKeys: [] },
)

const anyCompaction: fc.Arbitrary<CompactionPlan> = fc.record({
  thresholdTokens: fc.constantFrom(5, 20, 60),
  keepTokens: fc.constantFrom(0, 5, 20),
  summarize: fc.constantFrom(...usually, ...faulty),
})

/** The percentage of plans in which each option is set. */
const choices = {
  toolExecution: maybe(
    45,
    fc.constantFrom(
      'sequential' as const,
      { type: 'batched', size: 1 } as const,
      { type: 'batched', size: 2 } as const,
    ),
  ),
  maxConcurrency: maybe(40, fc.constantFrom(1, 2, 3)),
  maxCallsPerTurn: maybe(10, fc.constantFrom(1, 3)),
  maxTurns: maybe(30, fc.constantFrom<number | 'none'>('none', 1, 2, 3)),
  maxToolResultChars: maybe(30, fc.constant(100)),
  abortGraceMs: maybe(30, fc.constant(0)),
  toolMode: maybe(8, fc.constant('manual' as const)),
  approvalMode: maybe(50, fc.constant('pause' as const)),
  toolEvents: maybe(20, fc.constant(false)),
  updateIntervalMs: maybe(30, fc.constantFrom(0, 200)),
  steeringMode: maybe(40, fc.constant('all' as const)),
  followUpMode: maybe(40, fc.constant('all' as const)),
  hookTimeoutMs: maybe(50, fc.constant(100)),
  retry: maybe(
    40,
    fc.constantFrom(
      'none' as const,
      { maxAttempts: 2, baseMs: 10, capMs: 10 },
      { maxAttempts: 3, baseMs: 0, capMs: 0 },
    ),
  ),
  streamIdleMs: maybe(30, fc.constantFrom<number | 'none'>('none', 500)),
  deadlineMs: maybe(10, fc.constantFrom(50, 400)),
  budget: maybe(10, fc.constantFrom({ maxTokens: 25 }, { maxCost: 0.05 }, {})),
  loopDetection: maybe(
    30,
    fc.constantFrom('none' as const, { noteAt: 2, stopAt: 2 }, { noteAt: 2, stopAt: 3 }),
  ),
  hooks: maybe(25, anyHooks),
  compaction: maybe(15, anyCompaction),
}

/** Any options. Each is mostly absent, so that a failure shrinks to the few that matter. */
export const anyOptions: fc.Arbitrary<OptionsPlan> = fc.record(choices).map((options) => {
  const chosen = Object.entries(options).filter(([, value]) => value !== null)
  return Object.fromEntries(
    chosen.map(([name, value]) => [name, value === 'none' ? null : value]),
  ) as OptionsPlan
})

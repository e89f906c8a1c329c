import fc from 'fast-check'
import type { CompactionPlan, HooksPlan, OptionsPlan } from '../plan.ts'
import { maybe } from './maybe.ts'

const anyHooks: fc.Arbitrary<HooksPlan> = fc.record(
  {
    prompt: fc.constantFrom('lets', 'slow', 'throws', 'rejects', 'hangs', 'blocks', 'rewrites'),
    before: fc.constantFrom(
      ...(['lets', 'slow', 'throws', 'rejects', 'hangs'] as const),
      ...(['blocks', 'rewrites', 'asks', 'terminates'] as const),
    ),
    after: fc.constantFrom(
      ...(['lets', 'slow', 'throws', 'rejects', 'hangs', 'rewrites', 'terminates'] as const),
    ),
    context: fc.constantFrom(
      ...(['lets', 'slow', 'throws', 'rejects', 'hangs', 'rewrites', 'spoils'] as const),
    ),
  },
  { requiredKeys: [] },
)

const anyCompaction: fc.Arbitrary<CompactionPlan> = fc.record({
  thresholdTokens: fc.constantFrom(20, 60),
  keepTokens: fc.constantFrom(0, 10, 30),
  summarize: fc.constantFrom('lets', 'slow', 'throws', 'rejects', 'hangs'),
})

interface RawOptions {
  readonly few: OptionsPlan
  readonly hooks: HooksPlan | null
  readonly compaction: CompactionPlan | null
}

/** Options that are plain choices. Each is left at its default half of the time. */
const anyFew: fc.Arbitrary<OptionsPlan> = fc.record(
  {
    toolExecution: fc.constantFrom(
      ...(['parallel', 'sequential', 'sequential'] as const),
      { type: 'batched', size: 1 } as const,
      { type: 'batched', size: 2 } as const,
    ),
    maxConcurrency: fc.constantFrom(1, 2, 3, 8),
    maxCallsPerTurn: fc.constantFrom(1, 3),
    maxTurns: fc.constantFrom(null, 1, 2, 3),
    maxToolResultChars: fc.constant(100),
    abortGraceMs: fc.constantFrom(0, 250),
    toolMode: fc.constantFrom('auto', 'auto', 'auto', 'manual'),
    approvalMode: fc.constantFrom('wait', 'pause'),
    toolEvents: fc.constantFrom(true, false),
    steeringMode: fc.constantFrom('one-at-a-time', 'all'),
    followUpMode: fc.constantFrom('one-at-a-time', 'all'),
    hookTimeoutMs: fc.constant(100),
    retry: fc.constantFrom(
      false as const,
      { maxAttempts: 2, baseMs: 10, capMs: 10 },
      { maxAttempts: 3, baseMs: 0, capMs: 0 },
    ),
    streamIdleMs: fc.constantFrom(null, 500),
    deadlineMs: fc.constantFrom(null, 50, 400),
    budget: fc.constantFrom({ maxTokens: 25 }, { maxCost: 0.05 }, {}),
    loopDetection: fc.constantFrom(null, { noteAt: 2, stopAt: 2 }, { noteAt: 2, stopAt: 3 }),
  },
  { requiredKeys: [] },
)

/** Options of every kind, so that a failure shrinks to the few that matter. */
export const anyOptions: fc.Arbitrary<OptionsPlan> = fc
  .record({ few: anyFew, hooks: maybe(25, anyHooks), compaction: maybe(10, anyCompaction) })
  .map(({ few, hooks, compaction }: RawOptions) => ({
    ...few,
    ...(hooks && { hooks }),
    ...(compaction && { compaction }),
  }))

/**
 * Faults in having a call run once more.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsInRetries = [
  {
    name: 'the other calls run once more, too',
    edits: [
      {
        file: 'kernel/fold-retry.ts',
        find: 'return withCall(batch, toolCallId, (call) => {',
        replace: 'const calls = batch.calls.map((call) => {',
      },
      {
        file: 'kernel/fold-retry.ts',
        find: '...defined({ args }) })\n  })',
        replace: '...defined({ args }) })\n  })\n  return { ...batch, calls }',
      },
    ],
  },
  {
    name: 'a check that is broken off for a retry',
    mode: 'retries',
    edits: [
      {
        file: 'kernel/batch-progress.ts',
        find: 'if (!firstUnchecked || askedAt(call) < askedAt(firstUnchecked)) firstUnchecked = call',
        replace: 'firstUnchecked ??= call',
      },
    ],
  },
  {
    name: 'attempts of a retry count from 1',
    edits: [{ file: 'kernel/tool-call.ts', find: 'attempt: attempts,', replace: 'attempt: 0,' }],
  },
  {
    name: 'attempts on other branches are forgotten',
    edits: [
      {
        file: 'kernel/fold-retry.ts',
        find: 'for (const tip of [head, ...tips]) {',
        replace: 'for (const tip of [head]) {',
      },
    ],
  },
  {
    name: 'a retry leaves the head where it is',
    edits: [
      {
        file: 'agent/retry-tool.ts',
        find: 'const back = from === null ? [] : moveDrafts(runtime, from)',
        replace: 'const back: readonly Draft[] = from === null ? [] : []',
      },
    ],
  },
  {
    name: 'a call that may not run twice is tried again after its time',
    edits: [
      {
        file: 'kernel/tool-retry.ts',
        find: "ending.kind === 'threw' || tool.repeatable",
        replace: "ending.kind === 'threw' || ending.kind === 'timed_out' || tool.repeatable",
      },
    ],
  },
  {
    name: 'calls that are skipped while the unit before them runs',
    mode: 'retries',
    edits: [
      {
        file: 'kernel/due-batch-facts.ts',
        find: ' && !open.some(isUnderWay)',
        replace: '',
      },
    ],
  },
  {
    name: 'a retry runs beside another unit',
    edits: [
      {
        file: 'kernel/units.ts',
        find: 'return left.find((unit) => unit.some(isUnderWay)) ?? left[0] ?? []',
        replace: 'return left[0] ?? []',
      },
    ],
  },
]

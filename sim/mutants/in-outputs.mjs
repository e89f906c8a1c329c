/**
 * Faults in runs that are to end with an output.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsInOutputs = [
  {
    name: 'an output ends its run unchecked',
    edits: [
      {
        file: 'kernel/next-turn.ts',
        find: 'if (uncheckedAnswer(run) !== null) return []',
        replace: '',
      },
    ],
  },
  {
    name: 'an output is repaired once too often',
    edits: [
      {
        file: 'kernel/next-turn.ts',
        find: 'repairs >= output.maxRepairs',
        replace: 'repairs > output.maxRepairs',
      },
    ],
  },
  {
    name: 'a run that goes on forgets its output',
    edits: [
      {
        file: 'kernel/output.ts',
        find: "return lastOutput.isMissing || trigger === 'regenerate' ? lastOutput.request : undefined",
        replace: "return trigger === 'regenerate' ? lastOutput.request : undefined",
      },
    ],
  },
  {
    name: 'a check that failed counts as a fit',
    edits: [
      {
        file: 'agent/output.ts',
        find: 'if (checked.issues) return unfit(withFullStop(problemsOf(checked.issues)))',
        replace: 'if (checked.issues) return { verdict: {}, value: answer }',
      },
    ],
  },
  {
    name: 'an output is checked before what is queued',
    edits: [
      {
        file: 'kernel/next-turn.ts',
        find: "if (isDue || isSteered(state)) return anotherTurn(situation, 'steering')",
        replace:
          "if (last && uncheckedAnswer(run) !== null) return []\n  if (isDue || isSteered(state)) return anotherTurn(situation, 'steering')",
      },
    ],
  },
]

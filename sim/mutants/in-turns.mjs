/**
 * Faults in what is left to a later task, so that the page has its turn.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsInTurns = [
  {
    name: 'no re-check after what was left to a later task',
    mode: 'turns',
    edits: [
      {
        file: 'runtime/running-effects.ts',
        find: 'log.writeDue()',
        replace: '',
      },
    ],
  },
  {
    name: 'a command before what was left to a later task',
    mode: 'turns',
    edits: [
      {
        file: 'runtime/runtime.ts',
        find: 'void (hasMore && goOn())',
        replace: '{}',
      },
    ],
  },
]

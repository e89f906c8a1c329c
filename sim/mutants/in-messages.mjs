/**
 * Faults in reading what a worker posts.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsInMessages = [
  {
    name: 'no execution-id guard',
    edits: [
      {
        file: 'tools/protocol.ts',
        find: 'const isOfCall = currentId !== undefined && executionId === currentId',
        replace: 'const isOfCall = currentId !== undefined',
      },
    ],
  },
  {
    name: 'messages of a worker that are not counted',
    edits: [
      {
        file: 'tools/page/flood-gauge.ts',
        find: 'return aheadMs() > mostAheadMs',
        replace: 'return false',
      },
    ],
  },
  {
    name: 'messages of any size',
    edits: [
      {
        file: 'internal/read-json.ts',
        find: 'return budget.left >= 0',
        replace: 'return true',
      },
    ],
  },
  {
    name: 'a -0 that reaches events',
    edits: [
      {
        file: 'tools/content.ts',
        find: 'isFiniteNumber(value) ? value + 0 : undefined',
        replace: 'isFiniteNumber(value) ? value : undefined',
      },
    ],
  },
]

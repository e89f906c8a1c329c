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
        find: 'return (posted > mayPost && isBehind()) || evenAt - now() > mostAheadMs',
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
        file: 'tools/progress.ts',
        find: 'isFiniteNumber(value) ? value + 0 : undefined',
        replace: 'isFiniteNumber(value) ? value : undefined',
      },
    ],
  },
  {
    name: 'messages of no kind that no flood is made of',
    edits: [
      {
        file: 'tools/page/worker-boot.ts',
        find: 'gauge.noteArrival()',
        replace:
          "if (readWorkerMessage('data' in event ? event.data : undefined, user.executionId())) gauge.noteArrival()",
      },
    ],
  },
  {
    name: 'lines of a log that no flood is made of',
    edits: [
      {
        file: 'tools/page/worker-boot.ts',
        find: 'gauge.noteArrival()',
        replace:
          "if (readWorkerMessage('data' in event ? event.data : undefined, user.executionId())?.type !== 'log') gauge.noteArrival()",
      },
    ],
  },
  {
    name: 'a list of any length that is let through',
    edits: [
      {
        file: 'tools/content.ts',
        find: '  if (budget.left < 0) return undefined\n  const items',
        replace: '  budget.left = 0\n  const items',
      },
    ],
  },
  {
    name: 'content of any length that is let through',
    edits: [
      {
        file: 'tools/protocol.ts',
        find: 'return budget.left < 0 ? undefined : parts',
        replace: 'return parts',
      },
    ],
  },
  {
    name: 'data of any length that is let through',
    edits: [
      {
        file: 'tools/protocol.ts',
        find: 'budget.left = 2 * maxResultBytes',
        replace: 'budget.left = 200 * maxResultBytes',
      },
    ],
  },
]

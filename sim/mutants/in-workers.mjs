/**
 * Faults in starting and ending workers.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsInWorkers = [
  {
    name: 'a stopped worker that is never cut off',
    edits: [
      {
        file: 'tools/page/execution.ts',
        find: 'cancelTimer = clock.setTimer(graceMs, close)',
        replace: '',
      },
      // It does the same for places that an app brings.
      {
        file: 'tools/page/guard-execution.ts',
        find: "cutOff.resolve({ kind: 'stopped', how: 'terminated' }),",
        replace: '{},',
      },
    ],
  },
  {
    name: 'a slot that is given back at once though its worker may run on',
    edits: [
      {
        file: 'runtime/call-slots.ts',
        find: 'if (options) giveBackLater(options.afterMs)\n      else giveBack()',
        replace: 'giveBack()',
      },
    ],
  },
  {
    name: 'more workers than allowed',
    edits: [
      {
        file: 'runtime/call-slots.ts',
        find: 'return taken < limit() ? take() : wait(signal)',
        replace: 'return taken <= limit() ? take() : wait(signal)',
      },
    ],
  },
  {
    name: 'a worker that was started early and outlives its run',
    edits: [
      {
        file: 'runtime/early-executions.ts',
        find: 'if (endsCalls(event)) for',
        replace: "if (event.type !== 'agent_end' && endsCalls(event)) for",
      },
      {
        file: 'runtime/early-executions.ts',
        find: "if (event.type === 'agent_end' && event.agentId === undefined) dropAll()",
        replace: '',
      },
    ],
  },
]

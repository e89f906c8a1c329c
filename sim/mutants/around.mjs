/** Faults around the loop: sub-agents, readers, listeners, checks. @type {readonly import('./mutant.ts').Mutant[]} */
export const mutantsAround = [
  {
    name: 'an agent that runs on after its call is stopped',
    edits: [
      {
        file: 'agent/sub-agent.ts',
        find: '      stopping.abort(abandoned)\n      stop()',
        replace: '      stopping.abort(abandoned)',
      },
    ],
  },
  {
    name: 'what an agent inside a call uses is not counted',
    edits: [
      {
        file: 'kernel/fold-agents.ts',
        find: '    usage: addUsage(run.usage, usage),',
        replace: '    usage: run.usage,',
      },
    ],
  },
  {
    name: 'calls that are agents take slots',
    edits: [
      {
        file: 'agent/start-effect.ts',
        find: 'isAgent ? noSlots : slots,',
        replace: 'slots,',
      },
    ],
  },
  {
    name: 'a reader that misses the stored log',
    edits: [
      {
        file: 'agent/iterate-events.ts',
        find: 'log.filter(({ seq }) => seq > after)',
        replace: '[]',
      },
    ],
  },
  {
    name: 'a reader that misses the events before the opening',
    edits: [
      {
        file: 'agent/iterate-events.ts',
        find: 'if (before) yield* before',
        replace: '',
      },
    ],
  },
  {
    name: 'a listener that throws ends the telling',
    edits: [
      {
        file: 'runtime/notifier.ts',
        find: '        report(error)',
        replace: '        report(error)\n        return',
      },
    ],
  },
  {
    name: 'manual mode that forgets the hooks',
    edits: [
      {
        file: 'runtime/prepare-call.ts',
        find: 'return await verdictOfHooks(',
        replace:
          'if (preparation.isManual) return [prepared(preparation, reading.args)]\n    return await verdictOfHooks(',
      },
    ],
  },
  {
    name: 'a status that says that tools run while the page is to answer',
    edits: [
      {
        file: 'kernel/status.ts',
        find: "return stage.kind !== 'streaming' && stage.place !== 'client'",
        replace: "return stage.kind !== 'streaming'",
      },
    ],
  },
  {
    name: 'needsApproval that throws lets the call run',
    edits: [
      {
        file: 'runtime/prepare-call.ts',
        find: 'return await callHook(() => asks(input), patience)',
        replace: 'return await callHook(() => asks(input), patience).catch(() => false)',
      },
    ],
  },
]

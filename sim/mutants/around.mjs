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
        file: 'agent/call-effects.ts',
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
        find: '(await callHook(() => asks(input), patience)) !== false',
        replace: '(await callHook(() => asks(input), patience).catch(() => false)) !== false',
      },
    ],
  },
  {
    name: 'a call that was cut off runs again without leave of its tool',
    edits: [
      {
        file: 'kernel/tool-retry.ts',
        find: 'isInterrupted ? tool.resumable :',
        replace: 'isInterrupted ? true :',
      },
    ],
  },
  {
    name: 'an answer of a person runs again what was cut off',
    edits: [
      {
        file: 'kernel/outside-run.ts',
        find: "open.every((call) => call.stage.kind === 'streaming' || hasWord(call))",
        replace: 'open.every((call) => !isWaiting(call))',
      },
      {
        file: 'kernel/outside-run.ts',
        find: 'hasEnded, isAnswered,',
        replace: 'hasEnded, isAnswered, isWaiting,',
      },
    ],
  },
  {
    name: 'a call that was cut off is not checked',
    edits: [
      {
        file: 'agent/call-effects.ts',
        find: "isCheck: tool.onInterrupt === 'check' && isCutOff(scope, toolCallId),",
        replace: 'isCheck: false,',
      },
    ],
  },
  {
    name: 'a check whose answer is ignored',
    edits: [
      {
        file: 'tools/worker/run-tool.ts',
        find: "fate.status === 'done' ? fate.result : await execute(implementation, input.value, context)",
        replace: 'await execute(implementation, input.value, context)',
      },
    ],
  },
  {
    name: 'a check that does not know counts as done',
    edits: [
      {
        file: 'tools/worker/run-tool.ts',
        find: "if (fate.status === 'unknown') return interrupted",
        replace: '',
      },
    ],
  },
  {
    name: 'a call that was found done ends twice',
    edits: [
      {
        file: 'runtime/run-call.ts',
        find: 'const isWritten = scope.commit(...facts)',
        replace: 'const isWritten = scope.commit(...facts, ...(ports.isCheck ? facts : []))',
      },
    ],
  },
]

/** Faults of the snapshots that sessions are opened from. @type {readonly import('./mutant.ts').Mutant[]} */
export const mutantsInSnapshots = [
  {
    name: 'a snapshot of another log that is believed',
    edits: [
      {
        file: 'agent/session/load-session.ts',
        find: 'if (!isSameEvent(last, page[0] ?? undefined)) return null',
        replace: '',
      },
    ],
  },
  {
    name: 'an event after a snapshot that is left out',
    edits: [
      {
        file: 'agent/session/load-session.ts',
        find: 'foldPage(start, page.slice(1))',
        replace: 'foldPage(start, [])',
      },
    ],
  },
  {
    name: 'a changed snapshot that is believed',
    edits: [
      {
        file: 'agent/session/snapshot.ts',
        find: "if (known !== hexOf(sum)) throw new TypeError('The snapshot is damaged.')",
        replace: '',
      },
    ],
  },
  {
    name: 'a snapshot of another version that is believed',
    edits: [
      {
        file: 'agent/session/snapshot.ts',
        find: 'if (version !== stateVersion) return null',
        replace: '',
      },
    ],
  },
  {
    name: 'a snapshot of another session that is believed',
    edits: [
      {
        file: 'agent/session/snapshot.ts',
        find: 'snapshot?.state.sessionId === sessionId ? snapshot : null',
        replace: 'snapshot ?? null',
      },
    ],
  },
  {
    name: 'a snapshot that loses the agents inside calls',
    edits: [
      {
        file: 'kernel/state-items.ts',
        find: 'agents.map(([id, agent]) => [id, { ...agent, state: unflatten(agent.state) }])',
        replace: '[]',
      },
    ],
  },
  {
    name: 'a snapshot that loses other branches',
    edits: [
      {
        file: 'kernel/state-items.ts',
        find: 'rest.tips.map(nodeAt).filter((tip) => tip !== null)',
        replace: '[]',
      },
    ],
  },
  {
    name: 'a snapshot that loses how earlier runs ended',
    edits: [
      {
        file: 'kernel/state-items.ts',
        find: 'previous: at(runs, item.run.previous)',
        replace: 'previous: null',
      },
    ],
  },
  {
    name: 'a snapshot that says that it covers more than it does',
    edits: [
      {
        file: 'agent/session/snapshots.ts',
        find: 'last = events.at(-1) ?? last',
        replace: 'last = ports.log.at(-1) ?? last',
      },
    ],
  },
  {
    name: 'a snapshot of what is shown, and not of what is stored',
    edits: [
      {
        file: 'agent/session/snapshots.ts',
        find: 'last = events.at(-1) ?? last',
        replace: 'last = events.at(-1) ?? last\n    state = ports.state()',
      },
    ],
  },
  {
    name: 'a snapshot that is kept before its events are stored',
    edits: [{ file: 'agent/session/snapshots.ts', find: '    await stored()\n', replace: '' }],
  },
  {
    name: 'a snapshot that misses that a call was retried',
    edits: [
      {
        file: 'agent/session/snapshots.ts',
        find: 'state = fold(state, event)',
        replace: "if (event.type !== 'tool_retry_requested') state = fold(state, event)",
      },
    ],
  },
  {
    name: 'a snapshot that is written as one of another version',
    edits: [
      {
        file: 'agent/session/snapshot.ts',
        find: 'version: number = stateVersion,',
        replace: 'version: number = stateVersion - 1,',
      },
    ],
  },
  {
    name: 'a snapshot that a replaced owner keeps',
    edits: [
      {
        file: 'storage/memory.ts',
        find: 'checkEpoch(session.epoch, epoch)',
        replace: 'checkEpoch(epoch, epoch)',
      },
    ],
  },
  {
    name: 'a snapshot that outlives a redaction',
    edits: [
      {
        file: 'storage/memory.ts',
        find: 'const derived = [...bytes.keys()].filter(isDerived)',
        replace: 'const derived: string[] = []',
      },
    ],
  },
].map((mutant) => ({ ...mutant, mode: 'snapshots' }))

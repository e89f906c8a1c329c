/** Faults of the snapshots that sessions are opened from. @type {readonly import('./mutant.ts').Mutant[]} */
export const mutantsInSnapshots = [
  {
    name: 'a snapshot of another log that is believed',
    edits: [
      {
        file: 'agent/session/load-session.ts',
        find: 'if (!loaded && !isSameEvent(last, events[0])) return null',
        replace: '',
      },
    ],
  },
  {
    name: 'an event after a snapshot that is left out',
    edits: [
      {
        file: 'agent/session/load-session.ts',
        find: 'loaded ? events : events.slice(1)',
        replace: 'loaded ? events : []',
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
].map((mutant) => ({ ...mutant, mode: 'snapshots' }))

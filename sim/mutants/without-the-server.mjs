/**
 * Faults of a session that goes on in a copy while its server is away.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsWithoutTheServer = [
  {
    name: 'a return to a server that has more, as if it had not',
    mode: 'offline',
    edits: [
      {
        file: '../../nats/src/offline/catch-up.ts',
        find: 'isApart || (hasMore && (isRead || !situation.claim()))',
        replace: 'isApart || (hasMore && false)',
      },
    ],
  },
  {
    name: 'last events that are not handed over to the copy',
    mode: 'offline',
    edits: [
      {
        file: '../../nats/src/offline/holding.ts',
        find: 'const here = before && copy()?.handOver(from, [...before, ...events], known)',
        replace: 'const here = null',
      },
    ],
  },
  {
    name: 'a session that is kept apart under a new name each time',
    mode: 'offline',
    edits: [
      {
        file: '../../nats/src/offline/keep-apart.ts',
        find: 'mark.keptAs ?? ',
        replace: '',
      },
    ],
  },
  {
    name: 'no comparison with the server',
    mode: 'offline',
    edits: [
      {
        file: '../../nats/src/offline/compare.ts',
        find: 'isApart: other >= 0 || from + theirs.length < known,',
        replace: 'isApart: false,',
      },
    ],
  },
  {
    name: 'a copy that is removed before it is kept apart',
    mode: 'offline',
    edits: [
      {
        file: '../../nats/src/offline/catch-up.ts',
        find: 'return isWorth ? keepApart({ ...ports, sessionId, copy }) : undefined',
        replace: 'return isWorth ? undefined : undefined',
      },
    ],
  },
]

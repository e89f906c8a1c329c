/**
 * Faults when a session is deleted under the pages that have it open.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsInDeletions = [
  {
    name: 'a deletion of which those who follow learn nothing',
    edits: [
      {
        file: 'agent/session/stored-session.ts',
        find: '  whenAborted(line.ended, roles.fail)',
        replace: '',
      },
      {
        file: 'agent/session/follower.ts',
        find: "if (isKind(error, 'cleared') || isKind(error, 'newer')) onFailure(error)",
        replace: '',
      },
    ],
  },
  {
    name: 'a deletion that counts as a takeover',
    edits: [
      {
        file: 'agent/session/owner.ts',
        find: 'lost.reason instanceof StorageError ? loseBy(lost.reason) : stop()',
        replace: 'stop()',
      },
      {
        file: 'storage/position.ts',
        find: 'actual === 0 ? deletedSession() : replacedOwner()',
        replace: 'replacedOwner()',
      },
      {
        file: 'agent/session/stored-session.ts',
        find: '  whenAborted(line.ended, roles.fail)',
        replace: '',
      },
    ],
  },
  {
    name: 'a wish that outlives its session',
    edits: [
      {
        file: 'agent/session/stored-session.ts',
        find: '    wishes.fail(failure)\n',
        replace: '',
      },
    ],
  },
  {
    name: 'a run that was granted and outlives its session',
    edits: [
      {
        file: 'agent/session/remote-owner.ts',
        find: '      failing.reject(error)\n',
        replace: '',
      },
    ],
  },
  {
    name: 'a page that returns to the next session of the name',
    edits: [
      {
        file: 'agent/session/stored-log.ts',
        find: '  if (!isSamePlace(last, stored[0])) throw deletedSession()\n',
        replace: '',
      },
    ],
  },
]

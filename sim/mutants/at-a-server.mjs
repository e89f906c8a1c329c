/**
 * Faults of the storage at a NATS server: its epochs, its lease, and what it has read after a cut.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsAtAServer = [
  {
    name: 'an append at a server without its condition',
    mode: 'devices',
    edits: [
      {
        file: '../../nats/src/publish.ts',
        find: 'Nats-Expected-Last-Subject-Sequence: ',
        replace: 'Without-Condition: ',
      },
    ],
  },
  {
    name: 'a last append at a server without its condition',
    mode: 'devices',
    edits: [
      {
        file: '../../nats/src/hand-over.ts',
        find: 'publishNow(connection, message, condition)',
        replace: "publishNow(connection, message, 'Without: a condition')",
      },
    ],
  },
  {
    name: 'a claim at a server with the epoch of the one before',
    mode: 'devices',
    edits: [
      {
        file: '../../nats/src/make-claim.ts',
        find: "epoch: 'own' } as const",
        replace: 'epoch: before.epoch }',
      },
      {
        file: '../../nats/src/make-claim.ts',
        find: 'return { ...header, seq, epoch: seq }',
        replace: 'return { ...header, seq }',
      },
    ],
  },
  {
    name: 'a claim at a server that asks no holder',
    mode: 'devices',
    edits: [
      {
        file: '../../nats/src/make-claim.ts',
        find: '(await isFree(other))',
        replace: 'true',
      },
    ],
  },
  {
    name: 'a claim at a server that comes after the one that replaced it',
    mode: 'devices',
    edits: [
      {
        file: '../../nats/src/make-claim.ts',
        find: '    if (record.holder !== holder) return null\n',
        replace: '',
      },
    ],
  },
  {
    name: 'an owner at a server that ignores the next claim',
    mode: 'devices',
    edits: [
      {
        file: '../../nats/src/tenure.ts',
        find: 'if (latest > own) ending.abort()',
        replace: '',
      },
    ],
  },
  {
    name: 'an owner at a server that was replaced before it knew of its claim',
    mode: 'devices',
    edits: [
      {
        file: '../../nats/src/tenure.ts',
        find: '      compare()\n      if (mayHaveMissed) lookLater()\n',
        replace: '',
      },
    ],
  },
  {
    name: 'an owner at a server that does not look after a cut',
    mode: 'devices',
    edits: [
      {
        file: '../../nats/src/tenure.ts',
        find: 'link.watch({ onReturn: lookLater }),',
        replace: '',
      },
    ],
  },
  {
    name: 'a log at a server whose last piece of an event is any piece',
    mode: 'devices',
    edits: [
      {
        file: '../../nats/src/batch.ts',
        find: 'const isLast = index === groups.length - 1',
        replace: 'const isLast = index >= groups.length - 2',
      },
    ],
  },
  {
    name: 'a follower at a server that takes what it has again',
    mode: 'devices',
    edits: [
      {
        file: '../../nats/src/follow.ts',
        find: 'events.slice(Math.max(0, next - at))',
        replace: 'events',
      },
    ],
  },
]

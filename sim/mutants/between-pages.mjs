/**
 * Faults between the pages of one session.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsBetweenPages = [
  {
    name: 'a claim that no append is compared with',
    edits: [
      {
        file: 'storage/position.ts',
        find: 'if (actual === expected) return',
        replace: 'if (actual >= 0) return',
      },
    ],
  },
  {
    name: 'a replaced owner whose work goes on',
    edits: [
      {
        file: 'agent/session/owner.ts',
        find: '    ports.disown()\n    abandon(ports, journal, divergence)',
        replace: '    abandon(ports, journal, divergence)',
      },
    ],
  },
  {
    name: 'a wish that is asked once',
    edits: [
      {
        file: 'agent/session/open-wishes.ts',
        find: 'if (!performHere && !ended) repeatLater()',
        replace: '',
      },
      {
        file: 'agent/session/open-wishes.ts',
        find: 'if (!ended && !performHere && open.size > 0) repeatLater()',
        replace: '',
      },
    ],
  },
  {
    name: 'a wish that is done as often as it comes',
    edits: [
      {
        file: 'agent/session/perform.ts',
        find: 'if (before !== undefined) return',
        replace: '',
      },
    ],
  },
  {
    name: 'a wish that is answered before it is stored',
    edits: [{ file: 'agent/session/perform.ts', find: '      await stored()\n', replace: '' }],
  },
  {
    name: 'a follower that misses an event',
    edits: [
      {
        file: 'storage/follower.ts',
        find: 'next += events.length',
        replace: 'next += events.length + (events.length > 3 ? 1 : 0)',
      },
    ],
  },
  {
    name: 'a notice that does not count when a stored event has overtaken it',
    edits: [
      {
        file: 'agent/session/live-order.ts',
        find: 'replay([shown({ event: { ...event, seq: last, sub }, isRepeated }, state())])',
        replace: 'return',
      },
    ],
  },
  {
    name: 'a follower that begins without what was posted before',
    edits: [
      {
        file: 'agent/session/live-order.ts',
        find: 'for (const event of news) add({ ...event, ...at }, true)',
        replace: '',
      },
    ],
  },
  {
    name: 'text that is not stored when the page goes away',
    edits: [
      {
        file: 'agent/session/owner.ts',
        find: 'duties.checkpoints.write()\n    // A failure',
        replace: '// A failure',
      },
    ],
  },
  {
    name: 'a prompt that outlives its owner',
    edits: [
      {
        file: 'agent/run.ts',
        find: 'runtime.stored().catch(lose)',
        replace: 'runtime.stored().catch(() => {})',
      },
    ],
  },
  {
    name: 'a follower that keeps what was redacted',
    edits: [
      {
        file: 'agent/session/follow-checked.ts',
        find: "isOver = event instanceof StorageError || event.type === 'message_redacted'",
        replace: 'isOver = event instanceof StorageError',
      },
    ],
  },
  {
    name: 'a redaction that leaves a prompt that was refused',
    edits: [
      {
        file: 'kernel/redactor.ts',
        find: "  'agent_start',\n  'input_rejected',",
        replace: "  'input_rejected',",
      },
    ],
  },
  {
    name: 'a redaction that leaves what waited in a queue',
    edits: [
      {
        file: 'kernel/redactor.ts',
        find: "if (event.type === 'queue_update') queues.note(event)",
        replace: '',
      },
    ],
  },
  {
    name: 'calls that run on in a session that is only shown',
    edits: [
      {
        file: 'store/store.ts',
        find: 'get: (toolCallId) => stopped(get(toolCallId))',
        replace: 'get',
      },
    ],
  },
  {
    name: 'a follower that hears an owner that was replaced',
    edits: [
      {
        file: 'agent/session/stored-session.ts',
        find: 'return by !== undefined && by.seq < nextSeq && by.bootId !== bootId',
        replace: 'return false',
      },
    ],
  },
]

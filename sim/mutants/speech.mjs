/**
 * Faults in what arrives of a tool while it runs.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsOfSpeech = [
  {
    name: 'a status that replaces the one before',
    edits: [
      {
        file: 'tools/worker/coalesce.ts',
        find: 'const isRepeat = repeats(notice.progress, progress)',
        replace: 'const isRepeat = true',
      },
    ],
  },
  {
    name: 'events of a tool that overtake what it said before',
    edits: [
      {
        file: 'tools/worker/coalesce.ts',
        find: '    waiting.add(notice)',
        replace:
          "    waiting = new Set(notice.type === 'custom' ? [notice, ...waiting] : [...waiting, notice])",
      },
    ],
  },
  {
    name: 'how far a call came that stays where it was seen only',
    edits: [
      {
        file: 'kernel/fold-batch.ts',
        find: 'const { partial: _partial, progress: _progress,',
        replace: 'const { progress: _progress,',
      },
      {
        file: 'kernel/ending.ts',
        find: 'partialResult: isError ? call.partial : undefined, ',
        replace: '',
      },
    ],
  },
  {
    name: 'how far a call came that no end states',
    edits: [
      {
        file: 'kernel/ending.ts',
        find: 'partialResult: isError ? call.partial : undefined, ',
        replace: '',
      },
    ],
  },
  {
    name: 'how far a call came that is lost with the next opening of the log',
    edits: [
      {
        file: 'kernel/tool-call.ts',
        find: 'if (hasEnded(call)) return call\n',
        replace: '\n',
      },
    ],
  },
  {
    name: 'a log of which no end states anything',
    edits: [{ file: 'kernel/ending.ts', find: ', logs: tailOf(call.logs)', replace: '' }],
  },
  {
    name: 'the end of a log that only the page shows that saw it',
    edits: [
      {
        file: 'kernel/fold-batch.ts',
        find: '...(logs && logs.lines.length >= call.logs.lines.length && { logs }),',
        replace: '',
      },
    ],
  },
  {
    name: 'a flood that does not say what was left out',
    edits: [
      {
        file: 'tools/worker/cut-flood.ts',
        find: 'newestFirst.push(gap(countOf(notice)))',
        replace: '',
      },
    ],
  },
  {
    name: 'an update that stands where the one before it stood',
    edits: [
      {
        file: 'tools/worker/coalesce.ts',
        find: '    if (replaced && updateIntervalMs > 0) waiting.delete(replaced)\n    waiting.add(notice)',
        replace:
          '    if (replaced && updateIntervalMs > 0 && waiting.has(replaced))\n      waiting = new Set([...waiting].map((one) => (one === replaced ? notice : one)))\n    else waiting.add(notice)',
      },
    ],
  },
  {
    name: 'a report that loses its status on its way',
    edits: [{ file: 'tools/progress.ts', find: 'status: toLine(status),', replace: '' }],
  },
]

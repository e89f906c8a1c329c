/**
 * Faults in keeping the files that tools return.
 *
 * @type {readonly import('./mutant.ts').Mutant[]}
 */
export const mutantsInFiles = [
  {
    name: 'a file that is not stored',
    edits: [
      { file: 'agent/session/files.ts', find: 'if (!claim) return', replace: 'if (claim) return' },
    ],
  },
  {
    name: 'a file that is not stored, of which the log says nothing',
    edits: [
      {
        file: 'agent/session/files.ts',
        find: "write({ type: 'warning', code: 'artifact_not_stored', message })",
        replace: '',
      },
    ],
  },
  {
    name: 'a file that only its page can read',
    edits: [
      {
        file: 'agent/opening.ts',
        find: 'return storage?.readBytes(options.sessionId, artifactId)',
        replace: 'return undefined',
      },
    ],
  },
  {
    name: 'a file that is stored after the end that names it',
    edits: [
      {
        file: 'agent/session/files.ts',
        find: '.keepBytes(artifactId, bytes)',
        replace:
          '.keepBytes("offthread:nothing", null).then(() => new Promise((go) => queueMicrotask(go))).then(() => claim.keepBytes(artifactId, bytes))',
      },
    ],
  },
]

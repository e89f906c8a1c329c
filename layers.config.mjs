/**
 * Who may import whom. `scripts/layers.mjs` enforces it for product code.
 *
 * `layers` reads top to bottom: an import goes down. Parts in one row are strangers to each other.
 * A part is a folder, a file, or a family of files (`store` is store.ts and store-*.ts).
 * `pure` names the part that uses no time, no chance, no promise and no world.
 * `inside` orders the folders of a part in the same way; `.` stands for the files that are in none.
 * `packages` lists what may be imported by name; everything else is refused.
 * `standsAlone`: tests, too, import nothing by path from outside of the package.
 *
 * @typedef {{
 *   packages: string[], layers?: string[][], inside?: Record<string, string[]>, pure?: string,
 *   standsAlone?: boolean
 * }} Rule
 *
 * @type {Record<string, Rule>}
 */
export const rules = {
  'packages/core': {
    packages: [
      'zustand',
      '@standard-schema/spec',
      '@anthropic-ai/sdk',
      '@noble/hashes',
      '@cfworker/json-schema',
      '@modelcontextprotocol/sdk',
      'idb',
    ],
    layers: [
      [
        'index.ts',
        'worker.ts',
        'anthropic.ts',
        'openai.ts',
        'webllm.ts',
        'host.ts',
        'indexeddb.ts',
        'sessions.ts',
        'log.ts',
        'loop.ts',
        'json-schema.ts',
        'mcp.ts',
        'model.ts',
        'storage.ts',
        'testing.ts',
        'vite.ts',
      ],
      ['loop', 'sessions', 'testing', 'mcp'],
      ['agent', 'log'],
      ['runtime', 'store'],
      ['model', 'tools', 'storage', 'vite'],
      ['kernel'],
      ['internal'],
    ],
    inside: { tools: ['page', 'worker', 'result', '.'] },
    pure: 'kernel',
    standsAlone: true,
  },
  'packages/react': {
    packages: ['@offthread/core', 'react', 'react-dom'],
    standsAlone: true,
  },
  'packages/adapters': { packages: ['@offthread/core', 'react'] },
  'packages/chrome': { packages: ['@offthread/core'] },
  'packages/fleet': {
    packages: [
      '@offthread/core',
      '@nats-io/transport-node',
      'node:fs',
      'node:os',
      'node:url',
      'node:util',
      'node:worker_threads',
    ],
    layers: [['index.ts', 'offthread-tools.ts'], ['page', 'serve'], ['wire']],
  },
  'packages/nats': { packages: ['@offthread/core'] },
  'packages/isolated': { packages: ['@offthread/core', '@noble/hashes'] },
}

/** Not product code, which may not import it. */
export const testFile = /\.(test|contract|fixtures)\./

/** Of these, what the tests of another package may use: a place for tools runs the contract of places. */
export const sharedTestFile = /\.(contract|fixtures)\./

/**
 * All that pure code may take from the language. A global that is not here is refused, whatever it
 * does; one that is here with its members only can be neither renamed nor taken apart.
 */
export const pureNames = [
  'undefined',
  'Infinity',
  'Error',
  'Map',
  'Set',
  'String',
  'TypeError',
  'Array.from',
  'Array.isArray',
  'JSON.parse',
  'JSON.stringify',
  'Math.floor',
  'Math.max',
  'Math.min',
  'Number.isFinite',
  'Object.entries',
  'Object.fromEntries',
  'Object.hasOwn',
  'Object.keys',
  'Object.values',
  'structuredClone',
]

/** The same for types, which do nothing: what is missing here is what would have to be awaited. */
export const pureTypes = [
  'Exclude',
  'Extract',
  'Generator',
  'NonNullable',
  'Omit',
  'Partial',
  'Pick',
  'ReadonlyMap',
  'ReadonlySet',
]

/** Members that lead out of pure code without a name: to `Function`, or to the user's language. */
export const impureMembers = /^constructor$|^(to)?[Ll]ocale[A-Z]/

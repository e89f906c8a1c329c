/**
 * Who may import whom. `scripts/layers.mjs` enforces it for product code; tests are free.
 *
 * `layers` reads top to bottom: an import goes down. Parts in one row are strangers to each other.
 * A part is a folder, a file, or a family of files (`store` is store.ts and store-*.ts).
 * `pure` names the part that knows no time, no chance, no promise and no world.
 * `packages` lists what may be imported by name; everything else is refused.
 *
 * @type {Record<string, { packages: string[], layers?: string[][], pure?: string }>}
 */
export const rules = {
  'packages/core': {
    packages: ['zustand', '@standard-schema/spec', '@anthropic-ai/sdk'],
    layers: [
      ['index.ts', 'worker.ts', 'anthropic.ts', 'openai.ts', 'indexeddb.ts', 'testing.ts'],
      ['agent'],
      ['runtime', 'store'],
      ['model', 'tools', 'storage'],
      ['kernel'],
      ['internal'],
    ],
    pure: 'kernel',
  },
  'packages/react': {
    packages: ['@offthread/core', 'react'],
  },
}

/** Not product code: may import anything, and product code may not import it. */
export const testFile = /\.(test|contract|fixtures)\./

/** Names that stand for time, chance, waiting or the world around. */
export const impureNames = [
  'Date',
  'Promise',
  'performance',
  'setTimeout',
  'setInterval',
  'queueMicrotask',
  'requestAnimationFrame',
  'crypto',
  'fetch',
  'Worker',
  'MessageChannel',
  'indexedDB',
  'localStorage',
  'window',
  'document',
  'navigator',
  'globalThis',
  'self',
  'console',
  'process',
]

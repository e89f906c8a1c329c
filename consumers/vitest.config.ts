import { defineConfig } from 'vitest/config'

/** What needs Node and a browser at the same time: servers here, pages there. */
export default defineConfig({
  test: {
    name: 'consumers',
    include: ['consumers/**/*.test.mjs'],
    // Each has a server and a page of its own, and the machine may be busy.
    testTimeout: 120_000,
    // A package that does not arrive is asked for three times.
    hookTimeout: 300_000,
  },
})

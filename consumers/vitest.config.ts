import { defineConfig } from 'vitest/config'

/** What needs Node and a browser at the same time: servers here, pages there. */
export default defineConfig({
  test: {
    name: 'consumers',
    include: ['consumers/**/*.test.mjs'],
    // A server and a page of its own for each, on a machine that may have more to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

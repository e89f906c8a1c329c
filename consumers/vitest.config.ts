import { defineConfig } from 'vitest/config'

/** What needs Node and a browser at the same time: servers here, pages there. */
export default defineConfig({
  test: {
    name: 'consumers',
    include: ['consumers/**/*.test.mjs'],
    // Less than the 30 s after which a worker that waits is ended by itself.
    testTimeout: 25_000,
  },
})

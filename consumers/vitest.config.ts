import { defineConfig } from 'vitest/config'

/** What needs Node and a browser at the same time: servers here, pages there. */
export default defineConfig({
  test: {
    name: 'consumers',
    include: ['consumers/**/*.test.mjs'],
    testTimeout: 60_000,
  },
})

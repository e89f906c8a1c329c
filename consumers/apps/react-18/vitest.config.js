import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'jsdom',
    include: ['**/*.test.{ts,tsx}', '**/copied-menu.jsx'],
    testTimeout: 30_000,
    // Node would load what the packages load late, and the tests wait for what Vitest loads.
    server: { deps: { inline: [/@offthread/] } },
  },
})

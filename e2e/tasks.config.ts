import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'

/** `npm run test:tasks`: on a machine that does nothing else, no task of the page takes longer than it may. */
export default defineConfig({
  ...config,
  testMatch: ['texts.spec.ts', 'responsive.spec.ts'],
  workers: 1,
  reporter: 'list',
  metadata: { longestTaskMs: 100 },
})

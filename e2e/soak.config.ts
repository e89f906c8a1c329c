import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'
import type { StoredPageOptions } from './stored-page.ts'

/** `npm run soak:kills`: what `npm test` does with pages and browsers that end, but with all cases. */
export default defineConfig<StoredPageOptions>({
  ...config,
  testMatch: ['interrupted.spec.ts', 'killed.spec.ts'],
  reporter: 'list',
  use: { ...config.use, isThorough: true },
})

import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'
import type { StoredPageOptions } from './stored-page.ts'

/** `npm run soak:kills`: what `npm test` does with a browser that is killed, but 20 times. */
export default defineConfig<StoredPageOptions>({
  ...config,
  testMatch: 'killed.spec.ts',
  reporter: 'list',
  use: { ...config.use, kills: 20 },
})

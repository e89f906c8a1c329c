import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'

/** `npm run picture`: takes the picture of the README again, of the built page. */
export default defineConfig({
  ...config,
  testMatch: 'picture.ts',
  reporter: 'list',
  // Sharp on the screens of today.
  use: { ...config.use, viewport: { width: 1280, height: 720 }, deviceScaleFactor: 2 },
})

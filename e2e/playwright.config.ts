import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from '../scripts/chromium-options.mjs'
import { demoOrigin, demoPort, faultsPort } from './origins.ts'

export default defineConfig({
  testDir: '.',
  outputDir: '../.reports/e2e',
  retries: 0,
  // A page that waits leaves its core to another.
  workers: 3,
  // Only a test that hangs takes this long: how long an honest one takes is the machine's business.
  timeout: 240_000,
  forbidOnly: Boolean(process.env['CI']),
  // The same pictures for all systems: the page is drawn with the fonts of the tests.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  // Another build of Chromium draws the edges of letters a little otherwise: 70 pixels. Four buttons that are gone: 900.
  expect: { timeout: 60_000, toHaveScreenshot: { threshold: 0.35, maxDiffPixels: 300 } },
  reporter: [['list'], ['json', { outputFile: '../.reports/e2e.json' }]],
  use: {
    baseURL: demoOrigin,
    launchOptions: chromiumLaunchOptions(),
    // It would load every file of the build for each test.
    serviceWorkers: 'block',
    // A test gets the page of the one before it, emptied: that costs half of a new one.
    reuseContext: true,
    // To draw what turns and slides while a call runs takes a tenth of the CPU time. The tests of a page that moves want it.
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
  // Built pages, as users get them: workers are bundled differently in dev.
  webServer: {
    command: `node serve-built.mjs ${demoPort} ${faultsPort}`,
    url: demoOrigin,
    reuseExistingServer: false,
  },
})

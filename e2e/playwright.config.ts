import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from '../scripts/chromium-options.mjs'

const port = Number(process.env['E2E_PORT'] ?? 4317)
const url = `http://127.0.0.1:${port}`

export default defineConfig({
  testDir: '.',
  outputDir: '../.reports/e2e',
  retries: 0,
  workers: 1,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: '../.reports/e2e.json' }]],
  use: { baseURL: url, launchOptions: chromiumLaunchOptions() },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
  webServer: {
    // The built page, as users get it: workers are bundled differently in dev.
    command: `npm run build && npm run preview -- --host 127.0.0.1 --port ${port} --strictPort`,
    cwd: '../apps/demo',
    url,
    reuseExistingServer: false,
  },
})

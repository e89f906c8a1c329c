import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { browserCommands } from './scripts/browser-commands.mjs'
import { chromiumLaunchOptions, wholeChromiumOptions } from './scripts/chromium-options.mjs'

const needsBrowser = '**/*.browser.test.{ts,tsx}'
/** A headless shell has no model, and no interface to one. */
const builtInModel = `packages/chrome/src/${needsBrowser}`
const exclude = [needsBrowser, '**/node_modules/**', '**/dist/**']
// Only a test that hangs takes this long: how long an honest one takes is the machine's business.
const testTimeout = 120_000
/** A state that a test waits for may take as long, not the second that is the default. */
const expect = { poll: { timeout: 100_000 } }
const setupFiles = ['./scripts/seed-properties.mjs']
// A thread starts faster than a process.
const pool = 'threads'
/** Side by side, where Vitest would leave a core to itself. */
const maxWorkers = availableParallelism()
/** One more than cores: each often waits, for a server, a limit, a lease or a worker that starts. */
const maxWaiting = maxWorkers + 1
/** Files of a thread share modules and globals: to set them up for each would take half of the time. */
const isolate = false
/** Tests that count CPU time or timers, which other tests of the process have as well, and those that replace modules. */
const needsProcess = '**/*.{alone,cpu}.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          expect,
          pool,
          isolate,
          testTimeout,
          setupFiles,
          environment: 'node',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/core/rules/**/*.test.ts',
            'apps/*/src/**/*.test.ts',
            'scripts/**/*.test.mjs',
            'sim/**/*.test.ts',
            'wire/**/*.test.ts',
            'examples/**/*.test.{ts,mjs}',
          ],
          exclude: [...exclude, needsProcess],
        },
      },
      {
        test: {
          name: 'fleet',
          expect,
          pool,
          maxWorkers: maxWaiting,
          execArgv: ['--experimental-websocket'],
          testTimeout,
          hookTimeout: testTimeout,
          setupFiles,
          include: ['fleet/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'alone',
          expect,
          pool: 'forks',
          testTimeout,
          setupFiles,
          include: [needsProcess],
          exclude,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'jsdom',
          expect,
          pool,
          isolate,
          testTimeout,
          setupFiles: [...setupFiles, './scripts/patient-queries.mjs'],
          environment: 'jsdom',
          include: ['{packages,apps}/*/src/**/*.test.tsx'],
          exclude,
        },
      },
      {
        plugins: [react()],
        // What only a worker or a lazy module imports would be found late, and finding it reloads a running test.
        optimizeDeps: {
          entries: ['apps/*/src/**/*.{worker,lazy}.ts', 'apps/*/src/main.tsx'],
          include: ['fast-check'],
        },
        test: {
          name: 'browser',
          expect,
          maxWorkers: maxWaiting,
          testTimeout,
          include: [`{packages,apps,examples}/*/src/${needsBrowser}`],
          exclude: [...exclude.slice(1), builtInModel],
          browser: { ...browserWith(chromiumLaunchOptions()), commands: browserCommands },
        },
      },
      {
        test: {
          name: 'built-in',
          maxWorkers: maxWaiting,
          testTimeout,
          include: [builtInModel],
          browser: browserWith(wholeChromiumOptions()),
        },
      },
      {
        optimizeDeps: {
          entries: ['packages/core/src/{anthropic,openai,mcp}.ts'],
          include: ['fast-check'],
        },
        test: {
          name: 'wire',
          expect,
          maxWorkers: maxWaiting,
          include: [`wire/${needsBrowser}`],
          globalSetup: 'wire/servers.ts',
          testTimeout,
          browser: browserWith(chromiumLaunchOptions()),
        },
      },
    ],
  },
})

function browserWith(launchOptions: ReturnType<typeof chromiumLaunchOptions>) {
  return {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    // An address, not a name: a minimal system may not resolve localhost.
    api: { host: '127.0.0.1' },
    provider: playwright({ launchOptions }),
    instances: [{ browser: 'chromium' as const }],
  }
}

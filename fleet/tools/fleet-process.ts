import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { afterAll, onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The command and the scripts of some tools, built as an app would build them. */
export interface BuiltFleet {
  /** Starts a process, and resolves with it when it has joined its fleet. It ends with the test, or as `cleanUp` says. */
  readonly start: (
    options: ProcessOptions,
    more?: { readonly env?: NodeJS.ProcessEnv; readonly cleanUp?: typeof afterAll },
  ) => Promise<FleetProcess>
  /** Runs the command until it ends by itself. */
  readonly run: (
    args: readonly string[],
    env?: NodeJS.ProcessEnv,
  ) => Promise<{ code: number | null; printed: string }>
  /** The path of a script. */
  readonly script: (name: ScriptName) => string
}

interface ProcessOptions {
  readonly nats: string
  readonly script: ScriptName
  readonly fleet?: string
  readonly name?: string
  readonly calls?: number
}

interface FleetProcess {
  readonly child: ChildProcess
  /** Resolves with its exit code or the signal that ended it. */
  readonly ended: Promise<unknown>
}

const scripts = {
  behave: 'packages/core/src/tools/fixtures/behave.fixtures.worker.ts',
  tools: 'packages/core/src/tools/fixtures/tools.fixtures.worker.ts',
  nothing: 'packages/fleet/src/fixtures/deeds.fixtures.ts',
  deeds: 'packages/fleet/src/fixtures/deeds.fixtures.worker.ts',
} as const
type ScriptName = keyof typeof scripts

/** Builds them, for the tests of one file. */
export async function buildFleet(): Promise<BuiltFleet> {
  const folder = mkdtempSync(join(tmpdir(), 'offthread-fleet-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  await build({
    cwd: root,
    input: {
      'offthread-tools': 'packages/fleet/src/offthread-tools.ts',
      'thread-main': 'packages/fleet/src/serve/thread-main.ts',
      ...scripts,
    },
    platform: 'node',
    logLevel: 'silent',
    output: { dir: folder, format: 'esm', entryFileNames: '[name].js' },
  })
  const command = join(folder, 'offthread-tools.js')
  const script = (name: ScriptName) => join(folder, `${name}.js`)
  return {
    script,
    start: async ({ nats, script: name, ...options }, { env, cleanUp = onTestFinished } = {}) => {
      const args = Object.entries(options).flatMap(([key, value]) => [`--${key}`, String(value)])
      const child = spawn(
        process.execPath,
        [command, 'serve', script(name), '--nats', nats, ...args],
        { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
      )
      cleanUp(() => void child.kill('SIGKILL'))
      const ended = once(child, 'exit')
      await Promise.race([
        once(child.stdout, 'data'),
        ended.then(([code]) => Promise.reject(new Error(`The process has ended with ${code}.`))),
      ])
      child.stdout.resume()
      return { child, ended }
    },
    run: async (args, env = {}) => {
      const child = spawn(process.execPath, [command, ...args], { env: { ...process.env, ...env } })
      onTestFinished(() => void child.kill('SIGKILL'))
      let printed = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: unknown) => (printed += String(chunk)))
      }
      await once(child, 'close')
      return { code: child.exitCode, printed }
    },
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { chromiumLaunchOptions } from '../scripts/chromium-options.mjs'

/** A browser that can end without a word, and start again with all that it has stored. */
export interface KillableBrowser {
  /** Starts it, and gives a page of it. */
  readonly start: () => Promise<Page>
  /** Ends all its processes at once. */
  readonly kill: () => Promise<void>
  /** Ends it and removes what it has stored. */
  readonly remove: () => Promise<void>
}

export async function makeKillableBrowser(): Promise<KillableBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'offthread-profile-'))
  const { args, executablePath = chromium.executablePath() } = chromiumLaunchOptions()
  let child: ChildProcess | null = null

  async function start(): Promise<Page> {
    const own = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
    // A process group of its own, so that its children end with it.
    child = spawn(executablePath, [...args, ...own], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const browser = await chromium.connectOverCDP(await endpointOf(child))
    const [context] = browser.contexts()
    if (!context) throw new Error('The browser has no window.')
    return context.newPage()
  }

  async function kill(): Promise<void> {
    if (child?.pid === undefined || child.exitCode !== null) return
    const exited = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await exited
    child = null
  }

  return {
    start,
    kill,
    remove: async () => {
      await kill()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The address that a browser prints once it can be driven. */
function endpointOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stderr?.on('data', (piece) => {
      printed += String(piece)
      const endpoint = /DevTools listening on (ws:\S+)/.exec(printed)?.[1]
      if (endpoint !== undefined) resolve(endpoint)
    })
    child.once('exit', () => reject(new Error(`The browser did not start:\n${printed}`)))
  })
}

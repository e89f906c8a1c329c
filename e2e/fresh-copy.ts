import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const notCopied = new Set(['.git', '.reports', 'dist', 'node_modules'])

/** A copy of the repository as a new user has it, without dependencies. */
export interface FreshCopy {
  /** Runs a command to its end. Throws with its output if it fails. */
  readonly run: (command: string) => Promise<void>
  /** Starts `npm run demo` and gives the address that it prints. */
  readonly startDemo: () => Promise<string>
  readonly stopDemo: () => Promise<void>
  readonly write: (path: string, content: string) => Promise<void>
  readonly read: (path: string) => Promise<string>
  /** Ends the processes that were started, and removes the copy. */
  readonly remove: () => Promise<void>
}

export async function makeFreshCopy(): Promise<FreshCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'offthread-'))
  await cp(root, folder, {
    recursive: true,
    filter: (path) => !notCopied.has(basename(path)),
  })
  const children: ChildProcess[] = []
  const endAll = async (): Promise<void> => {
    await Promise.all(children.splice(0).map(end))
  }
  const start = (command: string): ChildProcess => {
    // A process group of its own, so that its children end with it. Packages come from the local cache.
    const env = { ...process.env, NO_COLOR: '1', npm_config_prefer_offline: 'true' }
    const child = spawn(command, { cwd: folder, shell: true, detached: true, env })
    children.push(child)
    return child
  }
  return {
    run: async (command) => {
      const { code, output } = await ended(start(command))
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
    },
    startDemo: () => addressOf(start('npm run demo')),
    stopDemo: endAll,
    write: async (path, content) => {
      // In one step, because a watching server would see an empty file first, and then a second change.
      const whole = join(folder, 'whole.tmp')
      await writeFile(whole, content)
      await rename(whole, join(folder, path))
    },
    read: (path) => readFile(join(folder, path), 'utf8'),
    remove: async () => {
      await endAll()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Ended {
  readonly code: number | null
  readonly output: string
}

function ended(child: ChildProcess): Promise<Ended> {
  let output = ''
  child.stdout?.on('data', (piece) => {
    output += String(piece)
  })
  child.stderr?.on('data', (piece) => {
    output += String(piece)
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (piece) => {
      printed += String(piece)
      const address = /Local:\s+(http:\S+?)\/?\s/.exec(printed)?.[1]
      if (address !== undefined) resolve(address)
    })
    void ended(child).then(({ output }) => reject(new Error(`No address was printed:\n${output}`)))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const closed = new Promise((resolve) => child.once('close', resolve))
  process.kill(-child.pid)
  await closed
}

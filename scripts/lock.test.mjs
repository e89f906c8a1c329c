import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const posix = process.platform !== 'win32'

test('a process that comes second waits, says for whom, and goes on when the first is done', async () => {
  const lock = lockIn(folder())
  const first = holder(lock)
  expect(await first.says()).toBe('holds')

  const second = holder(lock)
  expect(await second.says()).toBe(`waits for ${first.process.pid}`)
  first.process.stdin.end()

  expect(await second.says()).toBe('holds')
  second.process.stdin.end()
  expect(await once(second.process, 'exit')).toEqual([0, null])
  expect(existsSync(lock)).toBe(false)
})

test('the lock of a process that was killed is free for one that waits', async () => {
  const lock = lockIn(folder())
  const first = holder(lock)
  await first.says()
  const second = holder(lock)
  await second.says()

  first.process.kill('SIGKILL')

  expect(await second.says()).toBe('holds')
})

test('when many find the lock of a dead process, one at a time gets it', async () => {
  const root = folder()
  const lock = lockIn(root)
  const { pid } = spawnSync(process.execPath, ['--version'])
  mkdirSync(lock)
  writeFileSync(join(lock, String(pid)), '')
  // Throws when somebody else is inside.
  const alone = JSON.stringify(join(root, 'alone'))
  const work = `
    mkdirSync(${alone})
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    rmdirSync(${alone})
  `

  const many = Array.from({ length: 6 }, () => start(lock, work))

  const ends = await Promise.all(many.map((each) => once(each, 'exit')))
  expect(ends).toEqual(many.map(() => [0, null]))
})

test('a process that exits in the middle leaves no lock', async () => {
  const lock = lockIn(folder())

  expect(await once(start(lock, 'process.exit(3)'), 'exit')).toEqual([3, null])

  expect(existsSync(lock)).toBe(false)
})

test.skipIf(!posix)('an installation waits for the one that runs in the same folder', async () => {
  const root = folderWithInstaller('echo installed')
  mkdirSync(join(root, '.reports'))
  const other = holder(join(root, '.reports', 'install.lock'))
  await other.says()

  const installation = installIn(root)
  const [warning] = /** @type {[Buffer]} */ (await once(installation.stderr, 'data'))
  expect(String(warning)).toContain(`Waiting for process ${other.process.pid}`)
  expect(installation.stdout.readableLength).toBe(0)
  other.process.stdin.end()

  expect(await text(installation.stdout)).toBe('installed\ntrue\n')
})

test.skipIf(!posix)(
  'a failed installation shows what the installer said and guesses after it',
  async () => {
    const installation = installIn(folderWithInstaller('echo ENOSPC: no space left >&2; exit 4'))

    const [output, errors] = await Promise.all([
      text(installation.stdout),
      text(installation.stderr),
    ])

    expect(output).toBe('false\n')
    expect(errors).toMatch(
      /^ENOSPC: no space left\n\nInstalling the dependencies failed \(pnpm@1\.2\.3, exit code 4\)/,
    )
    expect(errors).toMatch(/registry[\s\S]*Another installer[\s\S]*disk is full/)
  },
)

function folder() {
  const root = mkdtempSync(join(tmpdir(), 'lock-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  return root
}

/** @param {string} root */
function lockIn(root) {
  return join(root, 'some.lock')
}

/**
 * Holds the lock until its input ends, and says what it does, a line each.
 *
 * @param {string} lock
 */
function holder(lock) {
  const child = start(lock, "console.log('holds'); await once(process.stdin.resume(), 'end')")
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const says = async () => {
    const { value } = /** @type {{ value?: string }} */ (await lines.next())
    return value
  }
  return { process: child, says }
}

/**
 * @param {string} lock
 * @param {string} work what is done while the lock is held
 */
function start(lock, work) {
  return node(`
    import { once } from 'node:events'
    import { mkdirSync, rmdirSync } from 'node:fs'
    import { holdLock } from ${JSON.stringify(new URL('./lock.mjs', import.meta.url).href)}
    const release = await holdLock(${JSON.stringify(lock)}, (pid) => console.log('waits for ' + pid))
    ${work}
    release()
  `)
}

/**
 * A folder to install in, where npx is what the test wants it to be.
 *
 * @param {string} script
 */
function folderWithInstaller(script) {
  const root = folder()
  writeFileSync(join(root, 'package.json'), '{ "packageManager": "pnpm@1.2.3" }')
  writeFileSync(join(root, 'npx'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return root
}

/** @param {string} root */
function installIn(root) {
  const source = `
    import { install } from ${JSON.stringify(new URL('./install.mjs', import.meta.url).href)}
    console.log(await install(${JSON.stringify(root)}))
  `
  return node(source, { PATH: `${root}:${process.env['PATH']}` })
}

/**
 * @param {string} source
 * @param {NodeJS.ProcessEnv} [env]
 */
function node(source, env = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

// What npm, npx and shells do to us: a process below a process, deaf to polite signals.
const family = "(trap '' INT TERM; sleep 600) & echo started; wait"
const program = `
  const { run } = await import(${JSON.stringify(new URL('./child.mjs', import.meta.url).href)})
  await run('sh', ['-c', ${JSON.stringify(family)}])
`

test.skipIf(process.platform === 'win32')('a stopped run leaves no process behind', async () => {
  const runner = spawn(process.execPath, ['--input-type=module', '-e', program])
  await once(runner.stdout, 'data')

  runner.kill('SIGTERM')

  // Output closes when the last process that could write to it is gone, grandchildren included.
  expect(await once(runner, 'close')).toEqual([143, null])
})

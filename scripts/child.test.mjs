import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

// What npm, npx and shells do: they start a process below a process, which ignores SIGTERM.
const family = "(trap '' INT TERM; sleep 600) & echo started; wait"
const module = JSON.stringify(new URL('./child.mjs', import.meta.url).href)

test.skipIf(process.platform === 'win32')('a stopped run leaves no process behind', async () => {
  const runner = start(`await run('sh', ['-c', ${JSON.stringify(family)}])`)
  await once(runner.stdout, 'data')

  runner.kill('SIGTERM')

  // Output closes when the last process that could write to it is gone, grandchildren included.
  expect(await once(runner, 'close')).toEqual([143, null])
})

test.skipIf(process.platform === 'win32')(
  'nor do several programs that run side by side',
  async () => {
    const runner = start(`
    const polite = "trap 'exit 0' INT; echo started; sleep 600 & wait"
    await Promise.all([polite, ${JSON.stringify(family)}].map((code) => run('sh', ['-c', code])))
    console.log('went on')
  `)
    let printed = ''
    runner.stdout.on('data', (text) => {
      printed += text
      if (printed === 'started\nstarted\n') runner.kill('SIGTERM')
    })

    expect(await once(runner, 'close')).toEqual([143, null])
    expect(printed).toBe('started\nstarted\n')
  },
)

test('the whole output of a program can be read', async () => {
  const code = `
    let printed = ''
    const print = "process.stdout.write('a'.repeat(200000)); process.stderr.write('b'); process.exitCode = 3"
    const exit = await run(process.execPath, ['-e', print], { onText: (text) => (printed += text) })
    console.log(exit, printed.length)
  `
  const runner = start(code)
  const [text] = await once(runner.stdout, 'data')

  expect(String(text)).toBe('3 200001\n')
})

/** @param {string} code */
function start(code) {
  const program = `const { run } = await import(${module})\n${code}`
  return spawn(process.execPath, ['--input-type=module', '-e', program])
}

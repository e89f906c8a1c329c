import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test.skipIf(process.platform === 'win32')(
  'a failed installation shows the output of the installer, and possible reasons below it',
  () => {
    const { stdout, stderr } = installWith('echo ENOSPC: no space left >&2; exit 4')

    expect(stdout).toBe('false\n')
    expect(stderr).toMatch(
      /^ENOSPC: no space left\n\nInstalling the dependencies failed \(pnpm@1\.2\.3, exit code 4\)/,
    )
    expect(stderr).toMatch(/registry[\s\S]*Another installer[\s\S]*disk is full/)
  },
)

/**
 * Installs in a folder of its own, with this script in place of npx.
 *
 * @param {string} script
 */
function installWith(script) {
  const root = mkdtempSync(join(tmpdir(), 'install-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'package.json'), '{ "packageManager": "pnpm@1.2.3" }')
  writeFileSync(join(root, 'npx'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const source = `
    import { install } from ${JSON.stringify(new URL('./install.mjs', import.meta.url).href)}
    console.log(await install(${JSON.stringify(root)}))
  `
  return spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...process.env, PATH: `${root}:${process.env['PATH']}` },
    encoding: 'utf8',
  })
}

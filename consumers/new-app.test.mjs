import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { chromiumLaunchOptions } from '../scripts/chromium-options.mjs'
import { packedPackages } from './pack.mjs'
import { runQuietly } from './run-quietly.mjs'
import { serveFolder } from './serve-folder.mjs'
import { typescriptVersions, versions } from './versions.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** A new app, as a template of Vite makes it, with the packages as a registry would get them. */
let app = ''

beforeAll(async () => {
  const workshop = mkdtempSync(join(tmpdir(), 'offthread-new-app-'))
  app = join(workshop, 'app')
  const tarballs = await packedPackages(join(workshop, 'tarballs'))
  cpSync(join(root, 'consumers/apps/new'), app, { recursive: true })
  const ours = ['@offthread/core', '@offthread/react'].map((name) => [
    name,
    `file:${Object.entries(tarballs).find(([key]) => key === name)?.[1]}`,
  ])
  const theirs = Object.entries({ ...versions, typescript: typescriptVersions[0] }).filter(
    ([name]) => needed.includes(name),
  )
  const dependencies = Object.fromEntries([...ours, ...theirs])
  const manifest = { name: 'my-app', private: true, type: 'module', dependencies }
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest, null, 2))
  await npm('install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts')
  return () => rmSync(workshop, { recursive: true })
})

const needed = [
  ...['react', 'react-dom', 'zod', '@types/react', '@types/react-dom', 'typescript'],
  ...['vite', '@vitejs/plugin-react', 'markdown-it'],
]

test('the files of the quick start make an app with typed cards and devtools, and no other line', async () => {
  writeQuickStart()

  const page = await openBuilt('development')
  await page.getByRole('button', { name: 'Ask' }).click()

  await page.getByText('Count primes: succeeded 78498').waitFor()
  await page.getByText('There are 78,498 primes below a million.').waitFor()
  await page.getByRole('button', { name: 'Offthread' }).click()
  await page.getByRole('tab', { name: 'Events' }).waitFor()
})

test('what is copied compiles in a new app, and works with its look', async () => {
  writeQuickStart()
  const copied = await copyParts('tool-card', 'tool-group', 'message', 'markdown', 'composer')
  expect(copied).toContain(`markdown-it@${versions['markdown-it']}`)
  cpSync(join(root, 'consumers/apps/copied/src'), join(app, 'src'), { recursive: true })

  const page = await openBuilt('production')
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill('How many primes are below a million?')
  await field.press('Enter')

  await page.getByRole('button', { name: /Done.*Count primes.*1000000/ }).click()
  await page.getByText('78498 primes').waitFor()
  await page.locator('.md', { hasText: 'There are 78,498 primes' }).waitFor()
  await page.addStyleTag({ content: ':root { --good: rgb(1, 2, 3) }' })
  const colour = "getComputedStyle(document.querySelector('.status-mark')).color"
  expect(await page.evaluate(colour)).toBe('rgb(1, 2, 3)')
})

test('a copied file that was changed is replaced only when asked to', async () => {
  const folder = 'own'
  const card = join(app, folder, 'cards/tool-card.tsx')
  const copy = (/** @type {string[]} */ ...given) => copyParts(...given, '--to', folder)
  await copy('tool-card')
  const original = readFileSync(card, 'utf8')
  expect(await copy('tool-card')).toContain('0 files copied')
  writeFileSync(card, '// Mine.')

  await expect(copy('tool-card', 'composer')).rejects.toThrow('own/cards/tool-card.tsx')
  expect(readFileSync(card, 'utf8')).toBe('// Mine.')
  expect(existsSync(join(app, folder, 'chat/composer.tsx'))).toBe(false)

  expect(await copy('tool-card', '--force')).toContain('1 replaced')
  expect(readFileSync(card, 'utf8')).toBe(original)
})

test('a part that does not exist, and a command without one, name those that do', async () => {
  await expect(copyParts('toolcard')).rejects.toThrow(
    'There is no part "toolcard". There are: tool-card, tool-group, message, markdown, composer.',
  )
  await expect(copyParts()).rejects.toThrow('Usage: npx @offthread/react copy')
})

/** The blocks of the README that name their file, as they are. */
function writeQuickStart() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```\w+\n(\/\/ ([\w.]+\.tsx?)\b[\s\S]*?)```/g)]
  expect(blocks.map(([, , name]) => name)).toEqual([
    ...['tools.ts', 'tools.worker.ts', 'model.ts', 'agent.ts', 'chat.tsx', 'App.tsx'],
    'vite.config.ts',
  ])
  for (const [, code = '', name = ''] of blocks) {
    writeFileSync(join(app, name === 'vite.config.ts' ? '' : 'src', name), code)
  }
}

/** @param {string[]} given */
function copyParts(...given) {
  return npm('exec', '--offline', '--', '@offthread/react', 'copy', ...given)
}

/** @param {string[]} args */
function npm(...args) {
  return runQuietly('npm', args, { cwd: app })
}

/**
 * The app as it compiles and is built, in a page. Errors of the page fail the test.
 *
 * @param {'development' | 'production'} mode of Vite
 */
async function openBuilt(mode) {
  await runQuietly(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit'], { cwd: app })
  const vite = ['node_modules/vite/bin/vite.js', 'build', '--mode', mode]
  await runQuietly(process.execPath, vite, { cwd: app, env: { NODE_ENV: mode } })
  const { origin, stop } = await serveFolder(join(app, 'dist'), {})
  const browser = await chromium.launch(chromiumLaunchOptions())
  onTestFinished(async () => {
    await browser.close()
    await stop()
    expect(errors).toEqual([])
  })
  const page = await browser.newPage()
  // As long as a test may take: a busy machine is no fault.
  page.setDefaultTimeout(120_000)
  /** @type {string[]} */
  const errors = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto(origin)
  return page
}

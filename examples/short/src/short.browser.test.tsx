import type { ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'

const sources = import.meta.glob<string>('./*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const examples = import.meta.glob<{ Example: ComponentType }>('./[0-9]*.tsx')
const shown = () => document.body.textContent
const button = (name: string) => page.getByRole('button', { name })

test('each file is shorter than 40 lines', () => {
  const lengths = Object.entries(sources)
    .filter(([path]) => !path.includes('.test.'))
    .map(([path, text]) => ({ path, isShort: text.trimEnd().split('\n').length < 40 }))

  expect(lengths.length).toBeGreaterThan(10)
  expect(lengths.filter(({ isShort }) => !isShort)).toEqual([])
})

test('each example does what its first line says', async () => {
  for (const [name, play] of Object.entries(plays)) {
    const close = await open(name)
    await play()
    close()
  }
  expect(Object.keys(plays).map((name) => `./${name}.tsx`)).toEqual(Object.keys(examples))
})

const plays: Readonly<Record<string, () => Promise<void>>> = {
  '01-hello': async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill('Hi!')
    await button('Send').click()
    await see('user Hi!', 'assistant Hello!')
  },
  '02-own-tool': async () => {
    await button('Which words are the longest?').click()
    await see('Longest word: succeeded', 'They are “ccc” and “three”.')
  },
  '03-approval': async () => {
    await button('Delete my drafts').click()
    await see('delete_table: awaiting_approval')
    await button('Allow').click()
    await see('delete_table: succeeded', 'As you wish.')
  },
  '04-manual-mode': async () => {
    await button('Ask me for a color').click()
    await button('Teal').click()
    await see('pick_color: succeeded', 'A good choice.')
  },
  '05-tool-card': async () => {
    await button('Roll five dice').click()
    await see('Lucky you.')
    expect(shown()).toMatch(/([⚀-⚅] ?){5}/u)
  },
  '06-own-provider': async () => {
    await button('Say this again').click()
    await see('assistant Say this again')
  },
  '07-kept': async () => {
    await button('Remember the milk').click()
    await see('I will remember that.', 'Stored: Remember the milk (idle)')
  },
  '08-replay': async () => {
    await button('What time is it?').click()
    await see('Later than you think.')
    await page.getByRole('slider', { name: 'Moment' }).fill('0')
    await expect.poll(shown).not.toContain('Later than you think.')
    await button('Live').click()
    await see('Later than you think.')
  },
  '09-use-chat': async () => {
    await button('Who is there?').click()
    await see('user Who is there?', 'assistant Hello from your own page!')
  },
  '10-assistant-ui': async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill('Whose thread?')
    await button('Send').click()
    await see('Whose thread?', 'A thread of yours.')
  },
}

async function open(name: string): Promise<() => void> {
  const module = await examples[`./${name}.tsx`]?.()
  if (!module) throw new Error(`There is no example ${name}.`)
  const element = document.body.appendChild(document.createElement('div'))
  const root = createRoot(element)
  onTestFinished(() => element.remove())
  flushSync(() => root.render(<module.Example />))
  return () => root.unmount()
}

async function see(...texts: readonly string[]): Promise<void> {
  for (const text of texts) await expect.poll(shown, { timeout: 20_000 }).toContain(text)
}

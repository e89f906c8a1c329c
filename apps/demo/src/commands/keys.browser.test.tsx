import { createAgent, textOf } from '@offthread/core'
import { call, hold, type ScriptedAnswer, say, scriptedModel } from '@offthread/core/testing'
import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { App } from '../app.tsx'
import { verbosity } from '../chat/announcer.tsx'
import { createSession } from '../session.ts'
import { theme } from '../theme/theme.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'
import { setSingleKeys } from './shortcuts.ts'

// Beside other tests a page may be late; the default is a second.
configure({ asyncUtilTimeout: 20_000 })

beforeEach(() => {
  theme.choose('system')
  setSingleKeys(true)
  verbosity.choose('full')
})
afterEach(cleanup)

test('a command is found by its words, run with Enter, and the focus is where it was', async () => {
  const { field } = show([])
  await userEvent.type(field, 'typed')
  await userEvent.keyboard('{Control>}k{/Control}')
  const commands = await screen.findByRole('combobox', { name: 'Command' })
  expect(document.activeElement).toBe(commands)

  await userEvent.type(commands, 'colour dark')
  const option = screen.getByRole('option')
  expect(commands.getAttribute('aria-activedescendant')).toBe(option.id)
  await userEvent.keyboard('{Enter}')

  expect(document.documentElement.dataset['theme']).toBe('dark')
  expect(screen.queryByRole('combobox', { name: 'Command' })).toBeNull()
  expect(document.activeElement).toBe(field)
  expect(field).toHaveProperty('value', 'typed')
})

test('the arrow keys go through the commands and around their ends', async () => {
  const { field } = show([])
  await userEvent.click(field)
  await userEvent.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox', { name: 'Command' })
  const options = screen.getAllByRole('option')
  const chosen = () => options.findIndex((option) => option.ariaSelected === 'true')

  await userEvent.keyboard('{ArrowUp}')
  expect(chosen()).toBe(options.length - 1)
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(chosen()).toBe(1)
  await userEvent.keyboard('no such command')
  expect(screen.getByText('No command has these words.')).toBeTruthy()
  await userEvent.keyboard('{Enter}{ArrowDown}{Escape}')
  expect(document.activeElement).toBe(field)
})

test('a command that leads elsewhere takes the focus there', async () => {
  const { field, agent } = show([[say('The answer.')]])
  await agent.prompt('Why?')
  await userEvent.click(field)
  await command('last answer')
  expect(document.activeElement).toBe(screen.getAllByRole('article').at(-1))

  await command('open panel')
  await command('timeline')
  await expect.poll(() => document.activeElement?.role).toBe('grid')
  await command('close panel')
  await command('keyboard')
  const dialog = screen.getByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(dialog.contains(document.activeElement)).toBe(true)
})

test('how much screen readers are given to read is a command, and is kept', async () => {
  const nap = [call('dev_sleep', { ms: 1 })]
  const { field, agent } = show([nap, [say('Yes.')], nap, [say('Yes.')]])
  const read = () => document.querySelector('[data-announcer="polite"]')?.textContent
  await userEvent.click(field)

  await command('announcements brief')
  expect(localStorage.getItem('offthread-announcements')).toBe('brief')
  await agent.prompt('Sleep.')
  await expect.poll(read, { timeout: 5000 }).toMatch(/^Answer complete/)

  await command('announcements full')
  await agent.prompt('Sleep.')
  await expect.poll(read, { timeout: 5000 }).toMatch(/Sleep \(dev\) finished\. Answer complete/)
})

test('clearing a chat can be undone', async () => {
  const { field, agent } = show([[say('The answer.')]])
  await agent.prompt('Why?')
  await userEvent.click(field)
  await command('clear')
  expect(screen.queryByText('The answer.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(screen.getByText('The answer.')).toBeTruthy()
  expect(document.activeElement).toBe(field)
})

test('↑ in the empty field edits the last question, and Escape leads back', async () => {
  const { field, agent } = show([[say('One.')], [say('Two.')]])
  await agent.prompt('Why?')
  await userEvent.click(field)
  await userEvent.type(field, 'a{ArrowUp}')
  expect(document.activeElement).toBe(field)
  await userEvent.clear(field)
  await userEvent.keyboard('{ArrowUp}')
  const editor = screen.getByRole('textbox', { name: 'The question in other words' })
  expect(document.activeElement).toBe(editor)
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(field)

  await userEvent.keyboard('{ArrowUp}!{Enter}')
  await screen.findByText('Two.')
  expect(textOf(agent.getState().messages[0]?.content ?? [])).toBe('Why?!')
  expect(document.activeElement).toBe(field)
})

test('Alt and the arrows go through the messages, but not out of a text; Y copies the input of the call with the focus, C cancels it', async () => {
  const { field, agent } = show([[say('One.')], [call('dev_sleep', { ms: 60_000 })], [say('Two.')]])
  await agent.prompt('Why?')
  await screen.findByText('One.')
  await userEvent.type(field, 'typed{Alt>}{ArrowUp}{/Alt}')
  expect(document.activeElement).toBe(field)
  await userEvent.clear(field)
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  const [question, answer] = screen.getAllByRole('article')
  expect(document.activeElement).toBe(answer)
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  expect(document.activeElement).toBe(question)
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  expect(document.activeElement).toBe(answer)

  const outcomes: string[] = []
  agent.subscribe((event) => {
    if (event.type === 'tool_execution_end') outcomes.push(event.outcome)
  })
  const done = agent.prompt('Sleep.')
  const cancel = await screen.findByRole('button', { name: /^Cancel/ })
  cancel.closest<HTMLElement>('.card')?.querySelector('button')?.focus()
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await userEvent.keyboard('y')
  expect(write.mock.calls).toEqual([['{\n  "ms": 60000\n}']])
  expect(await screen.findByRole('button', { name: 'Copy input' })).toBeTruthy()
  write.mockRestore()
  await userEvent.keyboard('c')
  await done
  expect(outcomes).toEqual(['cancelled'])
})

test('? shows the keys outside of fields, unless single keys are off', async () => {
  const { field } = show([])
  await userEvent.type(field, '?')
  expect(field).toHaveProperty('value', '?')
  screen.getByRole('button', { name: /^Theme/ }).focus()
  await userEvent.keyboard('?')
  const box = await within(screen.getByRole('dialog')).findByRole('checkbox')
  await userEvent.click(box)
  await userEvent.keyboard('{Escape}')
  await userEvent.keyboard('?')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Escape closes what is open before it stops the run, from wherever the focus is', async () => {
  const { field, agent } = show([[hold()]])
  await userEvent.type(field, 'hold{Enter}')
  await screen.findByRole('button', { name: 'Stop' })
  await command('keyboard')
  await userEvent.keyboard('{Escape}')
  expect(agent.isRunning()).toBe(true)

  fireEvent.keyDown(field, { key: 'Escape', isComposing: true })
  const handled = (event: Event) => event.preventDefault()
  document.body.addEventListener('keydown', handled)
  fireEvent.keyDown(document.body, { key: 'Escape' })
  document.body.removeEventListener('keydown', handled)
  expect(agent.isRunning()).toBe(true)

  fireEvent.keyDown(document.body, { key: 'Escape' })
  await expect.poll(() => agent.getState().lastReason).toBe('aborted')
})

/** Runs the first command with these words. */
async function command(words: string): Promise<void> {
  await userEvent.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: 'Command' })
  await userEvent.type(field, `${words}{Enter}`)
}

function show(answers: readonly ScriptedAnswer[]) {
  const options = { dev: true, store: createDataStore() }
  const model = scriptedModel(...answers)
  const agent = createAgent({ model, tools: hostTools(options) })
  render(<App session={createSession(agent, options)} />)
  return { agent, field: screen.getByRole('textbox', { name: 'Message' }) }
}

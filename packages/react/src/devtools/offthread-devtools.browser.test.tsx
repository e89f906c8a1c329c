import { type Agent, createAgent } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import { type ReactNode, StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { OffthreadDevtools as Nothing } from '../devtools-production.ts'
import { OffthreadDevtools } from './offthread-devtools.ts'

test('opens the run panel in a shadow root of its own, and leaves nothing behind', async () => {
  const agent = createAgent({ model: scriptedModel([say('Hello.')]), tools: [] })
  const style = document.createElement('style')
  style.textContent = 'button { display: none !important } * { color: rgb(1, 2, 3) }'
  document.head.append(style)
  onTestFinished(() => style.remove())
  const { unmount, container } = show(<OffthreadDevtools agent={agent} />)
  await expect.poll(() => shadow()?.querySelector('.toggle')).toBeTruthy()
  expect(document.querySelectorAll('offthread-devtools')).toHaveLength(1)
  expect(container.innerHTML).toBe('')
  await agent.prompt('Hi.')

  const toggle = button('.toggle')
  expect(getComputedStyle(toggle).display).toBe('grid')
  expect(getComputedStyle(toggle).color).not.toBe('rgb(1, 2, 3)')
  expect(getComputedStyle(document.body).fontSize).toBe('16px')
  toggle.click()
  await expect.poll(() => shadow()?.querySelectorAll('[role="gridcell"]').length).toBe(2)
  const keys: string[] = []
  const onKey = ({ key }: KeyboardEvent): void => void keys.push(key)
  window.addEventListener('keydown', onKey)
  onTestFinished(() => window.removeEventListener('keydown', onKey))
  const grid = shadow()?.querySelector('[role="grid"]')
  const press = { key: 'ArrowDown', bubbles: true, composed: true, cancelable: true }
  grid?.dispatchEvent(new KeyboardEvent('keydown', press))
  await expect.poll(() => grid?.getAttribute('aria-activedescendant')).toBeTruthy()
  expect(keys).toEqual([])

  button('.close').click()
  await expect.poll(() => shadow()?.activeElement?.className).toBe('toggle')
  unmount()
  await expect.poll(() => document.querySelector('offthread-devtools')).toBeNull()
  agent.dispose()
})

test('is nothing in production', async () => {
  const agent = createAgent({ model: scriptedModel([say('Hello.')]), tools: [] })
  const { container } = show(<Nothing agent={agent} />)
  // That of development, which is shown after it, is there.
  const { unmount } = show(<Tools agent={agent} />)
  await expect.poll(() => shadow()?.querySelector('.toggle')).toBeTruthy()
  expect(container.innerHTML).toBe('')
  expect(document.querySelectorAll('offthread-devtools')).toHaveLength(1)
  unmount()
  await expect.poll(() => document.querySelector('offthread-devtools')).toBeNull()
  agent.dispose()
})

test('follows the agent it is given', async () => {
  const agents = ['A.', 'B.'].map((text) =>
    createAgent({ model: scriptedModel([say(text)]), tools: [] }),
  )
  const { render, unmount } = show(<Tools agent={agents[0]} />)
  await expect.poll(() => shadow()?.querySelector('.toggle')).toBeTruthy()
  button('.toggle').click()
  await agents[1]?.prompt('Hi.')
  await expect.poll(() => shadow()?.textContent).toContain('There is no run yet')
  render(<Tools agent={agents[1]} />)
  await expect.poll(() => shadow()?.querySelectorAll('[role="gridcell"]').length).toBe(2)
  unmount()
  for (const agent of agents) agent.dispose()
})

function Tools({ agent }: { readonly agent: Agent | undefined }) {
  return agent ? <OffthreadDevtools agent={agent} /> : null
}

function shadow(): ShadowRoot | null | undefined {
  return document.querySelector('offthread-devtools')?.shadowRoot
}

function button(selector: string): HTMLElement {
  const found = shadow()?.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`There is no ${selector}.`)
  return found
}

function show(page: ReactNode) {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  const render = (next: ReactNode): void =>
    flushSync(() => root.render(<StrictMode>{next}</StrictMode>))
  let isMounted = true
  const unmount = (): void => {
    if (isMounted) root.unmount()
    isMounted = false
    container.remove()
  }
  onTestFinished(unmount)
  render(page)
  return { container, render, unmount }
}

import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { Page } from './page.tsx'

test('a page that loads its agent later answers the first question with a call in a worker', async () => {
  const element = document.body.appendChild(document.createElement('div'))
  const root = createRoot(element)
  onTestFinished(() => {
    root.unmount()
    element.remove()
  })
  flushSync(() => root.render(<Page />))

  await userEvent.type(find(element, 'input'), 'How many primes are below a million?')
  await userEvent.click(find(element, 'button'))

  await vi.waitFor(
    () => {
      expect(element.textContent).toContain('How many primes are below a million?')
      expect(element.textContent).toContain('Count primes: succeeded')
      expect(element.textContent).toContain('There are 78,498 primes below a million.')
    },
    { timeout: 20_000 },
  )
})

function find(inside: HTMLElement, selector: string): Element {
  const found = inside.querySelector(selector)
  if (!found) throw new Error(`There is no ${selector}.`)
  return found
}

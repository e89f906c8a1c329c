import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Menu } from './look/ui/menu.tsx'

afterEach(cleanup)

test('a menu of the copied look has its items while it is open, and React has nothing to warn of', () => {
  const errors = vi.spyOn(console, 'error')
  render(
    <Menu label="More">
      <button type="button">Copy</button>
    </Menu>,
  )
  const list = screen.getByLabelText('More', { selector: 'fieldset' })

  toggle(list, 'open')
  screen.getByText('Copy')
  toggle(list, 'closed')

  expect(screen.queryByText('Copy')).toBeNull()
  expect(errors).not.toHaveBeenCalled()
})

/** What a browser sends; jsdom has no popovers. */
function toggle(list, newState) {
  for (const type of ['beforetoggle', 'toggle']) {
    act(() => list.dispatchEvent(Object.assign(new Event(type), { newState })))
  }
}

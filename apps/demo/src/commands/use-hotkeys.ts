import { useEffect } from 'react'
import { isTaken } from '../ui/key-events.ts'
import type { PageParts } from './page-parts.ts'
import { goToAnswer, goToApproval, goToMessage } from './places.ts'
import { hasSingleKeys } from './shortcuts.ts'

/** The keys that work wherever the focus is. */
export function useHotkeys(page: PageParts): void {
  // After each render, because the page is another then.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isTaken(event)) return
      if (takeKey(event, page)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
}

/** Says whether the key did something. */
function takeKey(event: KeyboardEvent, page: PageParts): boolean {
  const isMod = event.ctrlKey || event.metaKey
  if (isMod) return !event.altKey && takeModKey(event, page)
  // A dialog has keys of its own.
  if (document.querySelector('dialog[open]')) return false
  if (event.altKey) return takeAltKey(event)
  return event.key === 'Escape' ? leave(page) : takeSingleKey(event, page)
}

function takeModKey(event: KeyboardEvent, { session: { dialogs }, panel }: PageParts): boolean {
  const { open } = dialogs.getState()
  const key = event.key.toLowerCase()
  if (key === 'k' && open === 'commands') dialogs.close('commands')
  else if (document.querySelector('dialog[open]')) return false
  else if (key === 'k' && !event.shiftKey) dialogs.open('commands')
  else if (key !== 'j') return false
  else if (event.shiftKey) panel.enter('[role="grid"]')
  else if (panel.isOpen) panel.close()
  else panel.enter('[role="tab"][aria-selected="true"]')
  return true
}

/** On some keyboards Alt makes another character of the key. */
function takeAltKey({ code, target }: KeyboardEvent): boolean {
  // In a text the arrow moves by paragraphs on a Mac.
  const isInText = target instanceof HTMLTextAreaElement && target.value !== ''
  switch (code) {
    case 'KeyA':
      return goToApproval()
    case 'KeyR':
      return goToAnswer()
    case 'ArrowUp':
      return !isInText && goToMessage(-1)
    case 'ArrowDown':
      return !isInText && goToMessage(1)
    default:
      return false
  }
}

/** Leaves a replay. Escape during a run is handled by the composer. */
function leave({ replayed }: PageParts): boolean {
  replayed?.exit()
  return replayed !== null
}

function takeSingleKey({ key, target }: KeyboardEvent, { session }: PageParts): boolean {
  if (isInField(target) || !hasSingleKeys()) return false
  if (key === '?') {
    session.dialogs.open('keys')
    return true
  }
  if (!/^[a-z]$/.test(key) || !(target instanceof HTMLElement)) return false
  const button = target.closest('.card')?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`)
  button?.click()
  return button !== null && button !== undefined
}

/** Whether a key types something there. */
function isInField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
}

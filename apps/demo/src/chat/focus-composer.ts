export const composerId = 'composer'
export const conversationId = 'conversation'

/** Puts the focus into the composer; on a phone, where a keyboard would cover the page, on the conversation. */
export function focusComposer(): void {
  const id = hasTouchKeyboard() ? conversationId : composerId
  document.getElementById(id)?.focus({ preventScroll: true })
}

/** Whether a field that gets the focus brings up a keyboard that covers a part of the page. */
export function hasTouchKeyboard(): boolean {
  return globalThis.matchMedia?.('(hover: none) and (pointer: coarse)').matches ?? false
}

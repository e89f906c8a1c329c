/** Whether a component has handled the key, or an input method handles it. */
export function isTaken(event: KeyboardEvent): boolean {
  return event.defaultPrevented || event.isComposing || event.keyCode === 229
}

/** Whether a word is being composed: Enter and Escape then belong to the input method. */
export function isComposing(event: KeyboardEvent): boolean {
  // Safari ends the composition before the key that ended it; only the old code still tells.
  return event.isComposing || event.keyCode === 229
}

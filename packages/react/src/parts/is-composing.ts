/** Whether a word is being composed. The input method then handles Enter and Escape. */
export function isComposing(event: KeyboardEvent): boolean {
  // Safari ends the composition before this event; only the deprecated keyCode shows it.
  return event.isComposing || event.keyCode === 229
}

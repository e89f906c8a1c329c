/** Makes a text field as high as its text, in browsers whose styles cannot. */
export function fitHeight(field: HTMLTextAreaElement, text: string): void {
  if (globalThis.CSS?.supports?.('field-sizing', 'content')) return
  field.style.blockSize = 'auto'
  if (text !== '') field.style.blockSize = `${field.scrollHeight}px`
}

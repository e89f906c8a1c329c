/** A sentence with its full stop, unless it ends with a mark already. */
export function withFullStop(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}

/** A sentence without its full stop, to be put in brackets inside another one. */
export function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

/**
 * The end of an answer that is still being written, with bold text and code that was opened in it closed:
 * so that its stars and ticks do not show for a moment.
 */
export function closeOpenMarks(raw: string): string {
  if (/^ {0,3}(```|~~~)/.test(raw)) return raw
  const ticks = raw.match(/`+/g) ?? []
  if (ticks.length % 2 === 1) return raw + (ticks.at(-1) ?? '')
  const stars = raw.replace(/`[^`]*`/g, '').match(/\*\*/g) ?? []
  if (stars.length % 2 === 0) return raw
  // A lone mark at the very end opens nothing yet: it is held back.
  const opened = raw.replace(/\*+$/, '')
  return opened === raw ? `${raw.trimEnd()}**` : closeOpenMarks(opened)
}

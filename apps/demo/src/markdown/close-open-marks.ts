/**
 * Closes bold text and code that an unfinished answer has opened, so that their marks do not show until the
 * closing ones arrive.
 */
export function closeOpenMarks(raw: string): string {
  if (/^(?: {4}| {0,3}(?:\t|```|~~~))/.test(raw)) return raw
  const ticks = raw.match(/`+/g) ?? []
  if (ticks.length % 2 === 1) return raw + (ticks.at(-1) ?? '')
  const stars = raw.replace(/`[^`]*`/g, '').match(/\*\*/g) ?? []
  if (stars.length % 2 === 0) return raw
  // A mark at the very end has opened nothing yet, so it is hidden.
  const opened = withoutLastStars(raw)
  return opened === raw ? `${raw.trimEnd()}**` : closeOpenMarks(opened)
}

function withoutLastStars(raw: string): string {
  let end = raw.length
  while (raw[end - 1] === '*') end -= 1
  return raw.slice(0, end)
}

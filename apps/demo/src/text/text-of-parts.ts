import type { Part } from '@offthread/core'

/** The text of a result, without its pictures. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

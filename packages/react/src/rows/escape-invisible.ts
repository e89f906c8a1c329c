/**
 * Characters that draw nothing, control lines, or change the direction of text: with them a line can look like another
 * one.
 */
const invisible = /(?![\t\n])[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\uFFF9-\uFFFB]/gu

/** A text of a model, a tool or a file with its invisible characters written out, as in JSON: `\u202e`. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

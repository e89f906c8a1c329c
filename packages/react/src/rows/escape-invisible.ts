/**
 * Characters that draw nothing, control lines, or change the direction of text: with them a line can look like another
 * one. Also the accents of a pile beyond the first few, because a pile takes seconds to draw.
 */
const invisible =
  /(?![\t\n])[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\uFFF9-\uFFFB\u{13430}-\u{1343F}\u{1D159}]|(?<=[\p{M}\p{Emoji_Modifier}\u0E33\u0EB3]{8})([\p{M}\p{Emoji_Modifier}\u0E33\u0EB3]+)/gu

/** A text of a model, a tool or a file with its invisible characters written out, as in JSON: `\u202e`. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, (character, pile: string | undefined) => {
    if (pile !== undefined) return ` … ${[...pile].length.toLocaleString('en')} more accents`
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

const mostOfName = 120

/** A name that a model, a tool or a file gave, of any length, as one that fits a line. */
export function escapeName(name: string): string {
  return escapeInvisible(name.length > mostOfName ? `${name.slice(0, mostOfName)}…` : name)
}

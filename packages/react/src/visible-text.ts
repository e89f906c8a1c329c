const blank: string = String.raw`[\p{Zs}\u2800\t]`
const piled: string = String.raw`[\p{M}\p{EMod}\u0E33\u0EB3]`

/**
 * Characters that hide or deceive: those that Unicode calls ignorable when drawn (direction overrides, invisible spaces
 * and fillers, tag characters, which can hide whole sentences), control characters, and separators of lines that look
 * like a blank. Also long runs of blanks, which move what follows out of sight: 64 that take room at the end of a line,
 * otherwise 128. And long piles of accents, tones of skin and two vowels, which take seconds to draw. The pattern begins
 * with what it finds, and looks at what stands before only there, which takes half the time.
 */
const unseen: string = String.raw`(?:(?![\t\n\r])[\p{DI}\p{Cc}\p{Zl}\p{Zp}\uFFF9-\uFFFB\u{13430}-\u{1343F}\u{1D159}])+|${blank}(?<![ \t\u3000])${blank}{63,}|${blank}{128,}|${piled}(?<=${piled}{9})${piled}*`

/**
 * Unseen characters, and where they are needed: in emoji, in three flags, for another form of an ideograph or a Mongolian
 * letter, and to join or separate the letters of some scripts. One such letter beside them is enough: the other may be
 * Latin, or stand in another element or a later piece.
 */
const found: RegExp = new RegExp(
  [
    String.raw`([\uFE0E\uFE0F](?:(?<=(?![#*0-9])[\p{Emoji}\p{EMod}].)|(?<=[#*0-9].)(?=\u20E3))`,
    String.raw`[\uFE00-\uFE02\u{E0100}-\u{E01EF}](?<=\p{Ideo}.)|[\u180B-\u180F](?<=[\u1820-\u18AA][\u180B-\u180F]?.)`,
    String.raw`\u200D(?<=[\p{ExtPict}\p{EMod}]\uFE0F?.)(?=\p{ExtPict}|$)`,
    '[\u200B-\u200D](?:(?<=[LETTERS].)|(?=[LETTERS]))',
    String.raw`\u{E0067}(?<=\u{1F3F4}.)\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})`,
    unseen,
  ]
    .join('|')
    .replaceAll('LETTERS', joinedLetters()),
  'gu',
)

function joinedLetters(): string {
  const scripts =
    'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Thai Laoo'
  return scripts.replaceAll(/(\w+) ?/g, String.raw`\p{sc=$1}`)
}

/**
 * A text of a model, a tool or a file as a page can show it: characters that only deceive (direction overrides, invisible
 * ones, hidden sentences, long runs of blanks) become marks, such as `‹U+202E›`, and so does what is left of a pile of
 * accents, which would hold the page. Emoji, and joiners in the scripts that need them, stay. The parts of this package
 * show their texts so; use it where you show texts yourself.
 *
 * @example
 * ```ts
 * visibleText('safe\u202Egnp.exe') // 'safe‹U+202E›gnp.exe'
 * ```
 */
export function visibleText(text: string): string {
  return text.replace(found, (run: string, useful?: string) => useful ?? markFor(run))
}

/** What is shown in place of characters that are unseen. */
function markFor(run: string): string {
  const code = (run.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const more = [...run].length - 1
  return `‹U+${code}${more > 0 ? ` and ${more} more` : ''}›`
}

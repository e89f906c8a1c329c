import { markFor, unseen } from './unseen.ts'

const plainAscii: RegExp = /^[\t\n\r -~]*$/

/**
 * Unseen characters, and where they are needed: in emoji, in three flags, and to join or separate the letters of some
 * scripts. One such letter beside them is enough: the other may be Latin, or stand in another element or a later piece.
 */
const found: RegExp = new RegExp(
  [
    String.raw`([\uFE0E\uFE0F](?:(?<=(?![#*0-9])[\p{Emoji}\p{EMod}].)|(?<=[#*0-9].)(?=\u20E3))`,
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
  return 'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Thai Laoo'
    .split(' ')
    .map((script) => String.raw`\p{sc=${script}}`)
    .join('')
}

/**
 * A text of a model, a tool or a file as a page can show it: characters that only deceive (direction overrides, invisible
 * ones, hidden sentences) become marks, such as `‹U+202E›`, and so does what is left of a pile of accents, which would hold
 * the page. Emoji, and joiners in the scripts that need them, stay. The parts of this package show their texts so; use it
 * where you show texts yourself.
 *
 * @example
 * ```ts
 * visibleText('safe\u202Egnp.exe') // 'safe‹U+202E›gnp.exe'
 * ```
 */
export function visibleText(text: string): string {
  if (plainAscii.test(text)) return text
  return text.replace(found, (run: string, useful: string | undefined) =>
    useful === undefined ? markFor(run) : run,
  )
}

/** What a question can begin with; a connective before one of these starts a new question. */
const starters =
  "how (?:many|much|often|old|long|heavy|big)|what(?:'s| is| was| were| are)?\\b|which\\b|who\\b|when\\b|list\\b|show\\b|give\\b|tell\\b|count\\b|plot\\b|chart\\b|draw\\b|graph\\b|hash\\b|estimate\\b|simulate\\b|describe\\b|compute\\b|calculate\\b|find\\b|sha-?(?:1|256)\\b|md5\\b|checksum\\b|monte\\b|(?:the )?(?:birthday )?(?:probability|chances?|odds|likelihood)\\b|(?:the |their |its )?(?:overall |grand )?(?:average|mean|median|total|sum|number|share|percentage|proportion|min(?:imum)?|max(?:imum)?|highest|lowest|biggest|smallest|largest|oldest|youngest|longest|shortest|heaviest|lightest|cheapest|top|most|least|bottom)\\b(?! first\\b)"
const devStarters = 'sleep|spin|crash|flood|return \\d|(?:\\w+ )?sleeps?\\b'

/** Cuts a message into its questions. Each is read by itself; a short one may lean on the one before. */
export function splitClauses(message: string, withDevTools: boolean): readonly string[] {
  const starter = withDevTools ? `${starters}|${devStarters}` : starters
  const joints = new RegExp(
    `(?:,? and also|,? as well as|,? and then|,? then|,? plus|,? also|,? and|,)\\s+(?=(?:please |in )?(?:${starter}))`,
    'gi',
  )
  return message
    .replace(/^\s*(?:\(?\d{1,2}[.)]|[-*•])\s+/gm, '\n')
    .replace(/\s\(?\d\)\s+/g, '\n')
    .replace(/(?<=\p{L}.*)\s\d\.\s+(?=\p{L})/gu, '\n')
    .split(/\n+|[?;]+|!(?=\s|$)|(?<!\b\p{Lu}|\b(?:Dr|Mr|Mrs|Ms|St|vs|approx))\.(?=\s+\p{Lu}|\s*$)/u)
    .flatMap((sentence) => splitSentence(sentence.trim(), joints))
    .map((clause) => clause.replace(/^[\s,.:]+|[\s,.:]+$/g, ''))
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
    .slice(0, 12)
}

function splitSentence(sentence: string, joints: RegExp): readonly string[] {
  const pieces = outsideQuotes(sentence, joints)
  const joined: string[] = []
  for (const piece of pieces) {
    const before = joined.at(-1)
    // "the mean and the max of X": the first half is no question of its own.
    if (before !== undefined && joined.length === 1 && isSetting(before))
      joined[0] = `${before}, ${piece.trim()}`
    else if (before !== undefined && (needsMore(before) || sharesEnding(before, piece)))
      joined[joined.length - 1] = `${before} and ${piece.trim()}`
    else joined.push(piece)
  }
  return joined
}

/** Text in quotes is never cut. */
function outsideQuotes(sentence: string, joints: RegExp): readonly string[] {
  const kept: string[] = []
  const masked = sentence.replace(
    /"[^"]*"|`[^`]*`/g,
    (text) => `\uE000${kept.push(text) - 1}\uE000`,
  )
  return masked
    .split(joints)
    .map((piece) =>
      piece.replace(/\uE000(\d+)\uE000/g, (_, index: string) => kept[Number(index)] ?? ''),
    )
}

/** "For the North, …", "On average, …": where or how the question that follows is meant. */
function isSetting(clause: string): boolean {
  return /^\s*(?:(?:and|so) )?(?:for|on|in|of|at|from|among|across|during|since|within|between)(?: [^\s,]+){1,6}$/i.test(
    clause,
  )
}

function needsMore(clause: string): boolean {
  const bare = withoutOpening(clause)
  return /^(?:(?:the|a|an)\s+)?(?:(?:average|mean|median|total|sum|min(?:imum)?|max(?:imum)?|highest|lowest|biggest|smallest|largest|count|number|most|least|oldest|youngest|longest|shortest|heaviest|lightest)(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*$))+$/i.test(
    bare,
  )
}

const amounts =
  '(?:average|mean|median|total|sum|number|min(?:imum)?|max(?:imum)?|highest|lowest|largest|smallest)'
const plainAmount = new RegExp(`^(?:the )?${amounts}(?: of)?(?: [^\\s,]+){1,3}$`, 'i')
const nextAmount = new RegExp(`^(?:the )?${amounts}\\b`, 'i')

/** "average A and average B by C": what follows the second belongs to both. */
function sharesEnding(clause: string, next: string): boolean {
  const bare = withoutOpening(clause)
  const ended = /\s(?:by|per|in|for|at|where|from|on|with|each|of \S+ \S+)\s/i.test(`${bare} `)
  return plainAmount.test(bare) && !ended && nextAmount.test(next.trim())
}

function withoutOpening(clause: string): string {
  return clause
    .trim()
    .replace(/^(?:for|on|in|of|at|from|among|across|during|since|within|between) [^,]*, /i, '')
    .replace(
      /^(?:what(?:'s| is| are| was| were)?|show me|give me|tell me|list|compute|calculate|find|and|please|i want|i need)\b/i,
      '',
    )
    .trim()
}

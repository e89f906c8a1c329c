import type { TableRequest } from '../tables/request.ts'
import { columnsIn } from '../tables/sql.ts'
import type { Scan } from './scan.ts'
import { mentionAt, namesTable, sameColumn } from './scan.ts'
import { bestScore } from './schema-match.ts'
import { questionWords } from './vocabulary.ts'

/** Words and numbers that no rule used although they may matter: the answer owns up to them. */
export function findUnused(scan: Scan, request: TableRequest | undefined): readonly string[] {
  if (request?.kind === 'describe') return []
  return [...unusedWords(scan), ...unusedColumns(scan, request)]
}

function unusedWords(scan: Scan): readonly string[] {
  return scan.tokens.flatMap((token, index) => {
    if (scan.used.has(index) || mentionAt(scan, index) !== undefined) return []
    if (token.kind === 'number') return [token.text]
    const plain =
      token.kind !== 'word' ||
      token.word.length < 3 ||
      questionWords.has(token.word) ||
      /(?:ed|ing|ly)$/.test(token.word)
    const subject = /^(?:many|which|what|by|per|each)$/.test(scan.tokens[index - 1]?.word ?? '')
    return plain || subject || isCommonVerb(token.word) ? [] : [token.text]
  })
}

/** Columns that were named outright and then played no part. */
function unusedColumns(scan: Scan, request: TableRequest | undefined): readonly string[] {
  if (request?.kind !== 'aggregate') return []
  const used = columnsIn(request)
  return scan.mentions.flatMap((mention) => {
    const near = mention.columns.filter((option) => scan.reach.includes(option.table))
    // A column of a table that cannot be joined is left out just the same.
    const best = (near.length > 0 ? near : mention.columns).filter(
      (option) => option.score > Math.max(0.75, bestScore(mention) - 0.05),
    )
    if (best.length === 0 || scan.used.has(mention.start) || namesTable(scan, mention)) return []
    if (best.some((option) => used.some((ref) => sameColumn(ref, option)))) return []
    return [
      scan.tokens
        .slice(mention.start, mention.end)
        .map((token) => token.text)
        .join(' '),
    ]
  })
}

function isCommonVerb(word: string): boolean {
  return /^(?:go|goes|went|gone|come|came|buy|bought|sell|sells|sold|pay|paid|cost|costs|took|last|saw|seen|see|caught|spent|stay|eat|drink|drank|ate|happen|order|visit|work|live|run|ran|people|person|someone|anyone|everyone|somebody|guys|folks)$/.test(
    word,
  )
}

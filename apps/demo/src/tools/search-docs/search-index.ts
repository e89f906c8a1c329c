import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { Section } from './sections.ts'

export interface Hit {
  readonly file: string
  readonly heading: string
  readonly snippet: string
}

/** An index over sections, which lasts as long as its database. */
export function createSearchIndex(sqlite: Sqlite3Static) {
  const db = new sqlite.oo1.DB(':memory:')
  db.exec("CREATE VIRTUAL TABLE s USING fts5(file, heading, body, tokenize = 'porter unicode61')")
  return {
    add: (sections: readonly Section[]): void => {
      const insert = 'INSERT INTO s SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)'
      const rows = sections.map(({ file, heading, body }) => [file, heading, body])
      db.exec({ sql: insert, bind: [JSON.stringify(rows)] })
    },
    /** The best sections first. Sections with all words come before those with some. */
    search: (query: string, limit: number): readonly Hit[] => {
      const words = wordsOf(query)
      if (words.length === 0) return []
      const every = find(db, words.join(' AND '), limit)
      if (every.length === limit) return every
      const some = find(db, words.join(' OR '), limit)
      const isNew = (one: Hit) => every.every((hit) => hit.snippet !== one.snippet)
      return [...every, ...some.filter(isNew)].slice(0, limit)
    },
    close: () => db.close(),
  }
}

// Words that are in every section find nothing.
const stopWords = new Set(
  'a an and are as at be by can do does for from how i if in is it its my of on or that the this to was what when where which who why will with you'.split(
    ' ',
  ),
)

/** The words and phrases of a query, quoted: FTS5 has operators, which a person who types them does not mean. */
function wordsOf(query: string): readonly string[] {
  const found = [...query.matchAll(/"([^"]+)"|[\p{L}\p{N}_]+/gu)]
  const texts = found.map(([text, phrase]) => phrase ?? text)
  const telling = texts.filter((text) => !stopWords.has(text.toLowerCase()))
  return (telling.length > 0 ? telling : texts).map((text) => `"${text.replaceAll('"', '')}"`)
}

function find(db: Database, match: string, limit: number): readonly Hit[] {
  // A word in the heading or the name of the file says more about a section than one in its text.
  const sql = `SELECT file, heading, snippet(s, 2, '**', '**', '…', 28) AS snippet
    FROM s WHERE s MATCH ? ORDER BY bm25(s, 4, 4, 1) LIMIT ?`
  return db.selectObjects(sql, [match, limit]).map(({ file, heading, snippet }) => ({
    file: String(file),
    heading: String(heading),
    snippet: String(snippet).replace(/\s+/g, ' ').trim(),
  }))
}

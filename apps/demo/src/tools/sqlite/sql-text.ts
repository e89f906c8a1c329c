import { ToolError } from '@offthread/core/worker'

/** The text from its first word on: without blanks, comments and semicolons. */
function skipBlanks(sql: string): string {
  // An unclosed comment reaches to the end, as it does for SQLite.
  return sql.replace(/^(?:[\s;\uFEFF]+|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))+/, '')
}

const readers = ['SELECT', 'WITH', 'VALUES']

/** Throws unless the text begins like a query. What follows is for SQLite to judge. */
export function checkBeginning(sql: string): void {
  if (sql.includes('\0')) throw notOneSelect('it holds a zero character')
  const text = skipBlanks(sql)
  if (text === '')
    throw new ToolError('invalid_args', 'The SQL is empty. Write one SELECT statement.')
  const word = firstWord(text)
  if (!readers.includes(word)) throw notOneSelect(`this starts with ${word}`)
}

/** Throws if anything but blanks follows the first statement. */
export function checkRest(rest: string): void {
  const text = skipBlanks(rest)
  if (text !== '')
    throw notOneSelect(`a second statement follows, which starts with ${firstWord(text)}`)
}

export function notOneSelect(why: string): ToolError {
  return new ToolError('invalid_args', `Only one SELECT statement is allowed; ${why}.`)
}

function firstWord(text: string): string {
  const word = /^[a-z_]+/i.exec(text)
  return word ? word[0].toUpperCase() : JSON.stringify(text.slice(0, 10))
}

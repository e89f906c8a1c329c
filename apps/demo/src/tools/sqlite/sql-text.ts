import { ToolError } from '@offthread/core/worker'

/** Removes blanks, comments and semicolons from the start of a text. */
function skipBlanks(sql: string): string {
  // As in SQLite, an unclosed comment extends to the end.
  return sql.replace(/^(?:[\s;\uFEFF]+|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))+/, '')
}

const readers = ['SELECT', 'WITH', 'VALUES']

/** Throws unless the text starts like a query. SQLite checks the rest. */
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

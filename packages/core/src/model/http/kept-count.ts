import { mostOfAnswer, tooMany } from '../port.ts'

/**
 * Counts the texts that a reader of an answer keeps until they become a chunk, and returns each of them. Throws a
 * `ModelError` when they are more than an answer may have, before all of it is in memory.
 */
export function createKeptCount(): (text: string) => string {
  let characters = 0
  return (text) => {
    characters += text.length
    if (characters > mostOfAnswer.characters) throw tooMany('characters')
    return text
  }
}

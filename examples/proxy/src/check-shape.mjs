import { Refusal } from './refusal.mjs'

const maxDepth = 1000
const maxValues = 100_000

/**
 * Refuses JSON that would take long to parse and to write again, whatever it says: a million fields, or a million
 * levels. The texts in it, pictures for instance, may be as long as a body may be.
 *
 * @param {string} json
 */
export function checkShape(json) {
  let depth = 0
  let values = 0
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') isText = !isText
    else if (isText) at += character === '\\' ? 1 : 0
    else if (character === ',') values += 1
    else if (character === ']' || character === '}') depth -= 1
    else if (character === '[' || character === '{') {
      values += 1
      depth += 1
    }
    if (depth > maxDepth) throw new Refusal(400, 'The body is nested too deeply.')
    if (values > maxValues) throw new Refusal(400, 'The body has too many fields.')
  }
}

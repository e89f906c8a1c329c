import type { Fields } from '../text/fields.ts'
import { fieldsOf } from '../text/fields.ts'

const textEntry = /"((?:[^"\\]|\\.)*)"\s*:\s*"((?:[^"\\]|\\.)*)/g

/** The text fields of a JSON object that is still being written; its last text may be unfinished. */
export function partialFields(json: string): Fields {
  const whole = parsed(json)
  if (whole !== undefined) return fieldsOf(whole)
  const entries = [...json.slice(0, 2000).matchAll(textEntry)]
  return Object.fromEntries(entries.map(([, name = '', text = '']) => [name, unescaped(text)]))
}

function unescaped(text: string): string {
  const value = parsed(`"${text}"`)
  return typeof value === 'string' ? value : text
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

import { isObject } from './json.ts'

/** What a thrown value says, whatever it is: never a blank text, nor one that would fill events and pages. */
export function messageOf(thrown: unknown, maxChars = 2000): string {
  try {
    // An error of another realm is no instance of `Error`.
    const hasMessage = isObject(thrown) && typeof thrown['message'] === 'string'
    const said = hasMessage ? thrown['message'] || thrown['name'] : thrown
    const text = typeof said === 'string' ? said : (JSON.stringify(said) ?? String(said))
    if (/\S/.test(text)) return text.slice(0, maxChars)
  } catch {}
  return 'A value that cannot be shown was thrown.'
}

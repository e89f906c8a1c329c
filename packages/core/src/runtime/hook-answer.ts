import { isObject } from '../internal/json.ts'

/** The fields of what a hook may answer, and those that are true or false. */
interface Form {
  readonly fields: readonly string[]
  readonly flags: readonly string[]
}

/**
 * Throws for an answer of another form. It was to change or refuse something, so ignoring it would let that through: a
 * `{ continue: false }`, or a text in place of a result.
 */
export function checkAnswer(answer: unknown, { fields, flags }: Form): void {
  const names = isObject(answer) ? Object.keys(answer) : ['']
  if (names.length > 0 && !names.some((name) => fields.includes(name)))
    throw new TypeError(`It gave none of the fields ${fields.join(', ')}.`)
  const wrong =
    isObject(answer) && flags.find((flag) => typeof (answer[flag] ?? false) !== 'boolean')
  if (wrong) throw new TypeError(`Its ${wrong} must be true or false.`)
}

import { isObject } from '../internal/json.ts'

/** The fields of what a hook may answer, and those that are true or false. */
interface Form {
  readonly fields: readonly string[]
  readonly flags: readonly string[]
}

/**
 * Whether a hook answered at all. Throws for an answer of another form. It was to change or refuse something, so ignoring
 * it would let that through: a `false`, a `{ continue: false }`, an error, or a text in place of a result.
 */
export function isAnswer<Answer extends object>(
  answer: Answer | null | undefined,
  { fields, flags }: Form,
): answer is Answer {
  if (answer === undefined || answer === null) return false
  // An error that is returned has no fields of its own, either.
  const isPlain = Object.prototype.toString.call(answer) === '[object Object]'
  const names = isPlain ? Object.keys(answer) : ['']
  if (names.length > 0 && !names.some((name) => fields.includes(name)))
    throw new TypeError(`It gave none of the fields ${fields.join(', ')}.`)
  const wrong =
    isObject(answer) && flags.find((flag) => typeof (answer[flag] ?? false) !== 'boolean')
  if (wrong) throw new TypeError(`Its ${wrong} must be true or false.`)
  return true
}

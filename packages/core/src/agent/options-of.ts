import { isObject } from '../internal/json.ts'

/** Options as they are. Throws a `TypeError` for what JavaScript lets an app pass in their place. */
export function optionsOf<Options extends object>(options: Options, name = 'The options'): Options {
  if (!isObject(options)) throw new TypeError(`${name} must be an object.`)
  const { signal } = options
  if (signal === undefined || 'aborted' in Object(signal)) return options
  throw new TypeError('The signal must be an AbortSignal.')
}

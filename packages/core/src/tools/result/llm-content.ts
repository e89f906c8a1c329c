import { isObject } from '../../internal/json.ts'
import type { Part } from '../../kernel/message.ts'
import { type ContentInput, toParts } from '../content.ts'

/**
 * An output with its own text for the model. `toLlmContent` is called where the tool runs; all the
 * rest of the object is its data.
 *
 * @example
 * ```ts
 * return { rows, toLlmContent: () => `${rows.length} rows, the first: ${rows[0]}` }
 * ```
 */
export interface LlmContent {
  toLlmContent(): ContentInput | Promise<ContentInput>
}

/** An output, divided into its data and the content for the model, if it has a `toLlmContent`. */
export interface SplitOutput {
  readonly data: unknown
  readonly content?: () => Promise<readonly Part[]>
}

/** Takes `toLlmContent` off an output: it is code, and no data. */
export function splitOutput(output: unknown): SplitOutput {
  if (!isObject(output) || !('toLlmContent' in output)) return { data: output }
  const { toLlmContent } = output
  if (typeof toLlmContent !== 'function') return { data: output }
  return { data: dataOf(output), content: () => contentBy(() => toLlmContent.call(output)) }
}

async function contentBy(toLlmContent: () => unknown): Promise<readonly Part[]> {
  try {
    return toParts(await toLlmContent())
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(`its toLlmContent failed: ${message}`, { cause })
  }
}

type Fields = { readonly [key: string]: unknown }

function dataOf(output: Fields): unknown {
  const { toJSON } = output
  // `toJSON` is called on the original object, because it may need more than the fields.
  const data: unknown = typeof toJSON === 'function' ? toJSON.call(output) : output
  if (!isObject(data) || !Object.hasOwn(data, 'toLlmContent')) return data
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'toLlmContent'))
}

import { isList, isObject, type Json, parseJson } from '../../internal/json.ts'
import type { Refusal } from './failures.ts'
import { type Fields, textIn } from './fields.ts'
import { textsIn } from './texts-in.ts'

/** Characters of an error answer: its sentence stands in front. */
const longestRefusal = 64 * 1024

/** The beginning of the text of an error answer; what came of it, if it breaks off. */
export async function refusalText(response: Response): Promise<string> {
  let text = ''
  try {
    for await (const piece of textsIn(response)) {
      text += piece
      if (text.length > longestRefusal) break
    }
  } catch {
    return text
  }
  return text
}

/** Reads the text of an error: JSON in any of the shapes that occur, plain text, or a page. */
export function readRefusal(text: string, headers: Headers): Refusal {
  const requestId = headers.get('x-request-id') ?? headers.get('request-id')
  return { ...toRefusal(tryJson(text) ?? text), headers, ...(requestId !== null && { requestId }) }
}

/** What a server said when it refused. */
export function toRefusal(said: unknown): Refusal {
  const { type, code, metadata, details } = errorFields(said)
  const status = Number(code)
  const raw = isObject(metadata) ? textIn(metadata, 'raw') : ''
  // Where both are given, this one says more: a limit of requests may be one of money.
  const exactCode = isObject(details) ? textIn(details, 'error_code') : ''
  const message = `${sentenceIn(said)} ${raw}`.trim()
  return {
    // A gateway that has answered with 200 already gives the status of the real answer as a code.
    ...(status >= 400 && status < 600 && { status }),
    ...(typeof code === 'string' && Number.isNaN(status) && { code }),
    ...(exactCode !== '' && { code: exactCode }),
    ...(typeof type === 'string' && { type }),
    ...(message !== '' && { message }),
  }
}

/** The value of a JSON text, or `undefined` for any other text. */
export function tryJson(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function errorFields(said: unknown): Fields {
  if (isList(said)) return errorFields(said[0])
  if (!isObject(said)) return {}
  return isObject(said['error']) ? said['error'] : said
}

function sentenceIn(said: unknown): string {
  // A page of a proxy explains nothing.
  if (typeof said === 'string') return said.trimStart().startsWith('<') ? '' : said.trim()
  if (isList(said)) return said.map(sentenceIn).join('; ')
  if (!isObject(said)) return ''
  const { error, message, detail, msg, loc } = said
  const sentence = sentenceIn(error ?? message ?? detail ?? msg)
  return isList(loc) ? `${loc.join('.')}: ${sentence}` : sentence
}

import { isJsonObject, isList, type Json, type JsonObject, tryJson } from '../../internal/json.ts'
import { openText } from './body-text.ts'
import type { Refusal } from './failures.ts'
import { textIn } from './fields.ts'

/** Characters of an error answer: its sentence stands in front. */
const longestRefusal = 64 * 1024

/** The beginning of the text of an error answer; what came of it, if it breaks off. */
export async function refusalText(response: Response): Promise<string> {
  const body = openText(response)
  let text = ''
  try {
    while (text.length <= longestRefusal) {
      const piece = await body.next()
      if (piece === undefined) break
      text += piece
    }
  } catch {
    // The status says enough.
  } finally {
    body.close()
  }
  return text
}

/** Reads the text of an error: JSON in any of the shapes that occur, plain text, or a page. */
export function readRefusal(text: string, headers: Headers): Refusal {
  const requestId = headers.get('x-request-id') ?? headers.get('request-id')
  return { ...toRefusal(tryJson(text) ?? text), headers, ...(requestId !== null && { requestId }) }
}

/** What a server said when it refused. */
export function toRefusal(said: Json): Refusal {
  const { type, code, metadata, details } = errorFields(said)
  const status = Number(code)
  const raw = isJsonObject(metadata) ? textIn(metadata, 'raw') : ''
  // Where both are given, this one says more: a limit of requests may be one of money.
  const exactCode = isJsonObject(details) ? textIn(details, 'error_code') : ''
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

function errorFields(said: Json | undefined): JsonObject {
  if (isList(said)) return errorFields(said[0])
  if (!isJsonObject(said)) return {}
  return isJsonObject(said['error']) ? said['error'] : said
}

function sentenceIn(said: Json | undefined): string {
  // A page of a proxy explains nothing.
  if (typeof said === 'string') return said.trimStart().startsWith('<') ? '' : said.trim()
  if (isList(said)) return said.map(sentenceIn).join('; ')
  if (!isJsonObject(said)) return ''
  const { error, message, detail, msg, loc } = said
  const sentence = sentenceIn(error ?? message ?? detail ?? msg)
  return isList(loc) ? `${loc.join('.')}: ${sentence}` : sentence
}

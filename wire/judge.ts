import type { IncomingMessage } from 'node:http'
import { anthropicProblems } from '../packages/core/src/model/anthropic/strict.fixtures.ts'
import { openaiProblems } from '../packages/core/src/model/openai/strict.fixtures.ts'
import type { Protocol } from './exchange.ts'

/** The vendor's rules that a request breaks, in its body and its headers. */
export function problemsOf(
  protocol: Protocol,
  { method, headers }: IncomingMessage,
  body: unknown,
): readonly string[] {
  const problems = protocol === 'anthropic' ? anthropicProblems(body) : openaiProblems(body)
  return [
    ...problems,
    ...(method === 'POST' ? [] : ['[method] must be POST']),
    ...(headers['content-type']?.startsWith('application/json')
      ? []
      : ['[content_type] must be application/json']),
    ...(/^Bearer \S+$/.test(headers.authorization ?? '')
      ? []
      : ['[authorization] must be a bearer token']),
    ...(protocol === 'openai' || headers['anthropic-version']
      ? []
      : ['[version] anthropic-version is required']),
  ]
}

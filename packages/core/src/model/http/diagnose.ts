import type { ModelError } from '../port.ts'
import type { Endpoint } from './endpoint.ts'
import { explained } from './explained.ts'
import type { Failure } from './failures.ts'
import { redacted } from './redacted.ts'
import { refused } from './refusal.ts'
import { unreachable } from './unreachable.ts'

/** The error that a failure means. All but its sentence is known without loading anything. */
export async function diagnose(failure: Failure, endpoint: Endpoint): Promise<ModelError> {
  const { target } = endpoint
  const { what } = failure
  if (what === 'refused') return refused(failure, target)
  if (what === 'unreachable') return unreachable(endpoint)
  const { contentType = '' } = failure
  const [reason = ''] = redacted(contentType, target).slice(0, 100).split(';')
  const error = { kind: 'protocol', retryable: what === 'not_a_stream' } as const
  return explained(error, { ...target, reason, obstacle: what })
}

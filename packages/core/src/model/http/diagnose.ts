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
  switch (failure.what) {
    case 'refused':
      return refused(failure, target)
    case 'unreachable':
      return unreachable(endpoint)
    case 'redirect':
      return explained({ kind: 'protocol', retryable: false }, { ...target, obstacle: 'redirect' })
    case 'not_a_stream': {
      const [type = ''] = redacted(failure.contentType, target).split(';')
      const reason = type.slice(0, 100)
      const error = { kind: 'protocol', retryable: true } as const
      return explained(error, { ...target, reason, obstacle: 'not_a_stream' })
    }
  }
}

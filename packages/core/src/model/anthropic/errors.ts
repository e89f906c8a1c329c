import {
  AnthropicError,
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
} from '@anthropic-ai/sdk/error'
import { ModelError } from '../port.ts'
import type { Endpoint } from '../wire/endpoint.ts'
import { cutOff, garbled, late, refused } from '../wire/failures.ts'
import { unreachable } from '../wire/unreachable.ts'

/**
 * Says what went wrong with a request, in a sentence that tells what to do about it.
 *
 * Errors of fetch and of the SDK are not kept as `cause`: both may quote headers, and so a key.
 */
export function explain(error: unknown, endpoint: Endpoint): ModelError | Promise<ModelError> {
  const { target } = endpoint
  const own = ownErrorIn(error)
  if (own) return own
  if (error instanceof APIConnectionTimeoutError) return late(target)
  if (error instanceof APIConnectionError) return unreachable(endpoint)
  if (isApiError(error)) {
    const { status, type, errorCode, apiMessage, requestID, headers } = error
    return refused(
      {
        ...(status !== undefined && { status }),
        ...(type && { type: String(type) }),
        ...(errorCode && { code: errorCode }),
        ...(typeof apiMessage === 'string' && { message: apiMessage }),
        ...(requestID && { requestId: requestID }),
        ...(headers && { headers }),
      },
      target,
    )
  }
  if (error instanceof SyntaxError) return garbled('an event is not JSON')
  if (error instanceof AnthropicError) return garbled('it has no body')
  return cutOff(target)
}

function isApiError(error: unknown): error is APIError {
  return error instanceof APIError
}

/** What was thrown by our own parts, also where the SDK has wrapped it. */
function ownErrorIn(error: unknown): ModelError | null {
  if (error instanceof ModelError) return error
  return error instanceof Error && error.cause instanceof ModelError ? error.cause : null
}

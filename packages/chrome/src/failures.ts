import { ModelError } from '@offthread/core'
import { failure, truncated } from '@offthread/core/model'

/** The error for a browser without the API. */
export function noBuiltInModel(): ModelError {
  return failure(
    'bad_request',
    'This browser has no built-in model. Use Chrome 148 or newer on a desktop, or choose another model.',
  )
}

/** What went wrong, in a sentence that says what to do about it. `hasBegun`: a part of the answer has arrived. */
export function chromeFailure(error: unknown, hasBegun: boolean): ModelError {
  if (error instanceof ModelError) return error
  const name = error instanceof Error ? error.name : ''
  switch (name) {
    case 'QuotaExceededError':
      return failure(
        'context_overflow',
        'The conversation is too long for the model. Shorten it or start a new one.',
      )
    case 'NotAllowedError':
      return failure(
        'permission',
        "The browser did not allow its model. Click into the page and try again: a download needs that. If it is turned off, turn it on in the browser's settings.",
      )
    case 'NetworkError':
      return failure(
        'network',
        'The browser could not download its model. Check the connection and try again.',
      )
    case 'NotSupportedError':
      return failure(
        'bad_request',
        'The built-in model is not available on this device, or not for this language or this content. Choose another model.',
      )
    case 'NotReadableError':
      return failure('refusal', 'The browser held the answer back. Ask in other words.')
    case 'SyntaxError':
      return failure('protocol', 'The model did not keep to the form it was asked for. Try again.')
    case 'TypeError':
    case 'EncodingError':
    case 'SecurityError':
    case 'InvalidStateError':
      return failure(
        'bad_request',
        'The browser did not take the request. Leave out images, or choose another model.',
      )
    default:
      // The browser has reasons of its own, and names few of them.
      return hasBegun
        ? truncated()
        : failure('overloaded', 'The built-in model failed and gave no reason. Try again.')
  }
}

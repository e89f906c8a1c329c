import { platformClock } from '../../internal/clock.ts'
import { withTimeout } from '../../internal/with-timeout.ts'
import { isRetryable } from '../../kernel/run-error.ts'
import { ModelError } from '../port.ts'
import type { Endpoint } from './endpoint.ts'
import { type Failure, kindOfStatus, type Target } from './failures.ts'

/** Milliseconds that the code which explains failures may take to load. */
const patienceMs = 3000

/**
 * The error that a failure means, with a sentence that tells what to do about it. The code for that is loaded when a
 * request fails. If it does not come, the status alone decides about the kind.
 */
export async function diagnosed(failure: Failure, endpoint: Endpoint): Promise<ModelError> {
  try {
    const late = () => new Error('It did not load.')
    const patience = { clock: platformClock, late }
    const { diagnose } = await withTimeout(import('./diagnose.ts'), patienceMs, patience)
    return await diagnose(failure, endpoint)
  } catch {
    return inPlainWords(failure, endpoint.target)
  }
}

function inPlainWords(failure: Failure, { host }: Target): ModelError {
  const status = failure.what === 'refused' ? failure.status : undefined
  const kind = failure.what === 'refused' ? kindOfStatus(status) : kindOfOther[failure.what]
  const retryable = isRetryable(kind)
  const what = status === undefined ? kind : `${kind}, status ${status}`
  const message = `The request to ${host} failed (${what}).${retryable ? ' Try again.' : ''}`
  return new ModelError({ kind, message, retryable, ...(status !== undefined && { status }) })
}

const kindOfOther = {
  unreachable: 'network',
  redirect: 'protocol',
  not_a_stream: 'protocol',
  unsent: 'bad_request',
} as const

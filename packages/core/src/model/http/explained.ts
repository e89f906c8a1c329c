import { platformClock } from '../../internal/clock.ts'
import { loadPart } from '../../internal/load-part.ts'
import type { RunError } from '../../kernel/run-error.ts'
import { ModelError } from '../port.ts'
import type { Diagnosis } from './explain.ts'

/** Milliseconds that the sentences about failures may take to load. */
const patienceMs = 3000

/**
 * The error with a sentence that says what it means, and what to do about it. The sentences are loaded when a request
 * fails. If they do not come, all but the message is the same.
 */
export async function explained(
  error: Omit<RunError, 'message'>,
  diagnosis: Omit<Diagnosis, keyof RunError>,
): Promise<ModelError> {
  return new ModelError({ ...error, message: await sentenceOf({ ...diagnosis, ...error }) })
}

async function sentenceOf(diagnosis: Diagnosis): Promise<string> {
  try {
    const { explain } = await loadPart(() => import('./explain.ts'), platformClock, patienceMs)
    return explain(diagnosis)
  } catch {
    return inPlainWords(diagnosis)
  }
}

function inPlainWords({ host, kind, retryable }: Diagnosis): string {
  return `The request to ${host} failed (${kind}).${retryable ? ' Try again.' : ''}`
}

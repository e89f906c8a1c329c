import { AgentUsageError } from './usage-errors.ts'

type RetryPart = typeof import('./retry-tool.ts')

let part: RetryPart | null = null

/** What has a call run once more; `null` before it is loaded. Few pages ever need it. */
export function retryPart(): RetryPart | null {
  return part
}

/** Loads it, and resolves with it. Rejects with an `AgentUsageError`. */
export async function loadRetry(): Promise<RetryPart> {
  try {
    part ??= await import('./retry-tool.ts')
    return part
  } catch (cause) {
    throw new AgentUsageError(
      'not_loaded',
      'Nothing was retried: a part of the app could not be loaded. Check the connection and retry again, or reload the page.',
      { cause },
    )
  }
}

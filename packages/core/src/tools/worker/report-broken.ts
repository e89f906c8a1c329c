import type { BreakableScope } from './worker-scope.ts'

interface Reporting {
  readonly report: (error: unknown) => void
  /** A rejection that says nothing about the code. */
  readonly isExpected: (reason: unknown) => boolean
}

/**
 * Reports what fails where nobody waits for it. The page is never told of a rejection that nobody handles, nor
 * of a worker that closes itself, and of other errors without their stack.
 */
export function reportBroken(scope: BreakableScope, { report, isExpected }: Reporting): void {
  scope.addEventListener('unhandledrejection', (event) => {
    const reason: unknown = 'reason' in event ? event.reason : undefined
    if (!isExpected(reason)) report(reason)
  })
  scope.addEventListener('error', (event) => {
    const error: unknown = 'error' in event ? event.error : undefined
    const message: unknown = 'message' in event ? event.message : undefined
    report(error ?? message)
  })
  const close = scope.close?.bind(scope)
  if (!close) return
  scope.close = () => {
    report(new Error('The code closed its worker.'))
    close()
  }
}

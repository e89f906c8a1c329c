import type { Judge } from './judge.ts'
import type { Promised } from './session.ts'

/** The errors with which the agent may reject: misuse, or a failed storage. */
export function isMisuse(error: unknown): boolean {
  return error instanceof Error && /^(Agent(Busy|Usage)|Storage)Error$/.test(error.name)
}

/** Only misuse and a failed storage may reject a promise. */
export function watchPromise(judge: Judge, promised: Promised, given: Promise<unknown>): void {
  const { what, page } = promised
  given.then(
    () => {
      promised.settled = true
    },
    (error: unknown) => {
      promised.settled = true
      if (isMisuse(error) || page.isDisposed()) return
      judge.broken('misuse', `${what} rejected with ${String(error)}`)
    },
  )
}

import type { ToolHost } from '@offthread/core'
import { checkTools } from '@offthread/core'
import { textOfError } from '../text/error-text.ts'

/** Says what is wrong, or that there is nothing wrong any more. */
type Tell = (problem?: string) => void

/**
 * Gives a function that checks that every tool of these places can be called. What is wrong with one of them is told
 * as soon as it is known: another may take long to answer. That nothing is wrong is told when all have answered.
 *
 * Of several checks only the latest tells: an older one may have tried code that is gone.
 */
export function createToolCheck(hosts: readonly ToolHost[], tell: Tell): () => void {
  let latest = 0
  return () => {
    latest += 1
    const own = latest
    const problems = hosts.map(() => '')
    const checks = hosts.map(async (host, at) => {
      const problem = await problemOf(host)
      if (problem === undefined || own !== latest) return
      problems[at] = problem
      const known = problems.filter((text) => text !== '')
      tell(['Not every tool can be called.', ...known].join('\n'))
    })
    void Promise.all(checks).then(() => {
      if (own === latest && problems.every((text) => text === '')) tell()
    })
  }
}

function problemOf(host: ToolHost): Promise<string | undefined> {
  return checkTools(host).then(
    () => undefined,
    (error: unknown) => textOfError(error),
  )
}

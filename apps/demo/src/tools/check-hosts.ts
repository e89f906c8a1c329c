import { checkTools, type ToolHost } from '@offthread/core'
import { textOfError } from '../text/error-text.ts'

/** Shows a problem; without one, removes the problem that was shown. */
type ShowProblem = (problem?: string) => void

/**
 * Returns a function that checks whether every tool of these hosts can be called. Each problem is shown as soon as it
 * is known, because other hosts may answer late. The problem is removed when all hosts have answered without one.
 *
 * Only the latest check reports, because an earlier one may have tried code that has changed.
 */
export function createToolCheck(hosts: readonly ToolHost[], showProblem: ShowProblem): () => void {
  let latest = 0
  return () => {
    latest += 1
    const own = latest
    const problems = hosts.map(() => '')
    const checks = hosts.map(async (host, at) => {
      const problem = await checkTools(host).then(() => undefined, textOfError)
      if (problem === undefined || own !== latest) return
      problems[at] = problem
      const known = problems.filter((text) => text !== '')
      showProblem(['Not every tool can be called.', ...known].join('\n'))
    })
    void Promise.all(checks).then(() => {
      if (own === latest && problems.every((text) => text === '')) showProblem()
    })
  }
}

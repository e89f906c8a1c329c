import { messageOf } from '../internal/message-of.ts'
import type { ToolHost } from './host.ts'

/**
 * Checks that every tool has its code, before any of them is called: starts one worker for each host, compares
 * what it implements with what was declared, and terminates it. For development, and for tests.
 *
 * Rejects with an `Error` that lists everything that is missing, or does not load.
 *
 * @example
 * ```ts
 * if (import.meta.env.DEV) await checkTools(tools)
 * ```
 */
export async function checkTools(hosts: ToolHost | readonly ToolHost[]): Promise<void> {
  const list: readonly ToolHost[] = 'check' in hosts ? [hosts] : hosts
  const checks = await Promise.allSettled(list.map((host) => host.check()))
  const problems = checks.flatMap((check, at) =>
    check.status === 'rejected' ? [`${namesOf(list[at])}: ${messageOf(check.reason)}`] : [],
  )
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

function namesOf(host: ToolHost | undefined): string {
  return (host?.tools ?? []).map(({ name }) => name).join(', ')
}

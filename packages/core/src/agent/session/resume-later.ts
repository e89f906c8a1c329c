import type { Run } from '../../kernel/state.ts'
import type { Claim } from '../../storage/port.ts'
import type { RoleOptions } from './role.ts'

/**
 * Looks whether a run was cut off, before the session is opened. Returns a function that continues this run after the
 * opening, if the agent is to do so by itself.
 */
export function resumeLater({ ports, isResuming }: RoleOptions, claim: Claim): () => void {
  const cut = ports.state().run
  return () => {
    const { run, lastRun } = ports.state()
    if (!isResuming || !cut || run || lastRun?.reason !== 'interrupted') return
    // A run that breaks the page would break every page that continues it.
    if (claim.unconfirmed > 0 || isStuck(cut)) return
    // `continue` is refused for a run that waits for a person, or has nothing left to do.
    ports
      .commands()
      .continue()
      .catch(() => {})
  }
}

/** Whether a run was continued before and came no further. */
function isStuck({ trigger, turns }: Run): boolean {
  return (trigger === 'continue' || trigger === 'resume') && turns <= 1
}

import type { Clock } from '../internal/clock.ts'
import { deadline } from '../kernel/end-of-run.ts'
import type { EffectScope, Performance } from './effects.ts'

/** Stops the run when its time is over. */
export function watchDeadline(scope: EffectScope, ms: number, clock: Clock): Performance {
  const clear = clock.setTimer(ms, () => {
    scope.commit({ type: 'abort_requested', by: deadline, reason: 'The time of the run is over.' })
  })
  return { update: () => {}, giveUp: clear }
}

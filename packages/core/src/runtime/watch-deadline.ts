import type { Clock } from '../internal/clock.ts'
import { deadline } from '../kernel/end-of-run.ts'
import type { EffectHandle, EffectScope } from './running-effects.ts'

/** Aborts the run after `ms` milliseconds. */
export function watchDeadline(scope: EffectScope, ms: number, clock: Clock): EffectHandle {
  const cancel = clock.setTimer(ms, () => {
    scope.commit({ type: 'abort_requested', by: deadline, reason: 'The time of the run is over.' })
  })
  return { cancel }
}

import fc from 'fast-check'
import type { Action, ActionPlan, Moment, ReloadKind } from '../plan.ts'
import type { Palette } from './faults.ts'

/** An action whose kind is not chosen yet: that depends on the faults that the plan may use. */
export interface RawAction {
  readonly at: Moment
  readonly what: number
  readonly pick: number
  readonly flag: boolean
  readonly how: ReloadKind
}

const anyMoment: fc.Arbitrary<Moment> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ seq: fc.nat({ max: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.nat({ max: 80 }) }) },
  { weight: 2, arbitrary: fc.record({ ms: fc.nat({ max: 400 }) }) },
  { weight: 2, arbitrary: fc.constant('rest') },
) as fc.Arbitrary<Moment>

export const anyAction: fc.Arbitrary<RawAction> = fc.record({
  at: anyMoment,
  what: fc.nat({ max: 60 }),
  pick: fc.nat({ max: 5 }),
  flag: fc.boolean(),
  how: fc.constantFrom('disposed', 'crash_losing', 'crash_keeping'),
})

export const anyActions: fc.Arbitrary<readonly RawAction[]> = fc.array(anyAction, { maxLength: 8 })

export function actionsOf(raw: readonly RawAction[], { actions }: Palette): readonly ActionPlan[] {
  return raw.flatMap((one) => {
    const what = actions[one.what % actions.length]
    return what ? [actionOf(what, one)] : []
  })
}

function actionOf(what: Action, { at, pick, flag, how }: RawAction): ActionPlan {
  switch (what) {
    case 'prompt':
    case 'steer':
    case 'follow_up':
      return { at, do: what, text: `${what} ${pick}` }
    case 'prompt_with_signal':
      return { at, do: what, abortAfterMs: pick * 20 }
    case 'abort':
    case 'clear_queues':
    case 'continue':
    case 'regenerate':
      return { at, do: what }
    case 'cancel':
    case 'approve':
    case 'deny':
    case 'edit':
    case 'stale_approval':
    case 'move_head':
    case 'configure':
      return { at, do: what, pick }
    case 'answer_call':
      return { at, do: what, pick, isError: flag }
    case 'reload':
      return { at, do: what, how }
  }
}

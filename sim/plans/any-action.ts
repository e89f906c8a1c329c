import fc from 'fast-check'
import { type Action, type ActionPlan, type Moment, type ReloadKind, reloadKinds } from '../plan.ts'
import type { Palette } from './faults.ts'

/** An action whose kind is not chosen yet: that depends on the faults that the plan may use. */
export interface RawAction {
  readonly at: Moment
  readonly what: number
  readonly pick: number
  readonly by: number
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
  by: fc.nat({ max: 5 }),
  flag: fc.boolean(),
  how: fc.constantFrom(...reloadKinds),
})

export const anyActions: fc.Arbitrary<readonly RawAction[]> = fc.array(anyAction, { maxLength: 8 })

export function actionsOf(raw: readonly RawAction[], { actions }: Palette): readonly ActionPlan[] {
  return raw.flatMap((one) => {
    const what = actions[one.what % actions.length]
    return what ? actionsFrom(what, one) : []
  })
}

/** What users of several pages do; `between` picks what happens to the pages. */
export function actionsOfPages(
  raw: readonly RawAction[],
  between: readonly RawAction[],
  palette: Palette,
): readonly ActionPlan[] {
  const [first, ...others] = between
  return [
    ...(first ? picked([first], ['open_page']) : []),
    ...picked(others, ['open_page', ...palette.pages]),
    ...picked(raw, palette.actions),
    // Of all that is removed, what has waited in a queue is in the most places.
    ...(first?.flag && palette.actions.includes('redact') ? picked([first], ['redact']) : []),
  ]
}

function picked(raw: readonly RawAction[], actions: readonly Action[]): readonly ActionPlan[] {
  return raw.flatMap((one) => {
    const what = actions[one.what % actions.length]
    return what ? actionsFrom(what, one).map((action) => ({ ...action, by: one.by })) : []
  })
}

/** Some actions make sense after others only, which seldom come together by chance. */
function actionsFrom(what: Action, raw: RawAction): readonly ActionPlan[] {
  const { at, pick, flag } = raw
  const action = actionOf(what, raw)
  if (!flag) return [action]
  // Without locks that all know, one of two pages that open at once follows while the page before still works.
  if (what === 'open_page') return [action, action]
  if (what === 'retry')
    return [
      { at: 'rest', do: what, pick },
      { at: 'rest', do: 'retry_again' },
    ]
  if (what === 'redact')
    return [
      { at, do: pick % 2 === 0 ? 'follow_up' : 'steer', text: `to redact ${pick}` },
      { at: 'rest', do: what, pick },
    ]
  return [action]
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
    case 'retry_again':
      return { at, do: what }
    case 'cancel':
    case 'retry':
    case 'approve':
    case 'deny':
    case 'edit':
    case 'stale_approval':
    case 'move_head':
    case 'redact':
    case 'take_queued':
    case 'configure':
      return { at, do: what, pick }
    case 'answer_call':
      return { at, do: what, pick, isError: flag }
    case 'reload':
    case 'close_page':
      return { at, do: what, how }
    case 'open_page':
    case 'take_over':
    case 'delete':
      return { at, do: what }
    case 'cut_off':
      return { at, do: what, ms: (pick + 1) * 900 }
  }
}

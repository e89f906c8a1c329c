import type { Agent } from '../../packages/core/src/agent.ts'
import type { ActionPlan, Moment } from '../plan.ts'
import type { Desk } from './desk.ts'

/** What a user does, apart from reloading the page. */
export type Deed = Exclude<ActionPlan, { readonly do: 'reload' }>

/** Where a user sits. */
export interface Seat {
  readonly agent: Agent
  readonly desk: Desk
  /** A promise the agent gave: it must settle. */
  readonly expect: (what: string, promise: Promise<unknown>) => void
  /** What was thrown at once. */
  readonly thrown: (what: string, error: unknown) => void
  readonly after: (ms: number, act: () => void) => void
}

/** Does one thing. What there is nothing to do it to is not done; says whether it was. */
export function act(deed: Deed, seat: Seat): boolean {
  try {
    return perform(deed, seat)
  } catch (error) {
    seat.thrown(deed.do, error)
    return true
  }
}

function perform(deed: Deed, { agent, desk, expect, after }: Seat): boolean {
  switch (deed.do) {
    case 'prompt':
      expect('prompt', agent.prompt(deed.text))
      return true
    case 'prompt_with_signal': {
      const controller = new AbortController()
      if (deed.abortAfterMs === 0) controller.abort()
      else after(deed.abortAfterMs, () => controller.abort())
      expect('prompt', agent.prompt('Hurry.', { signal: controller.signal }))
      return true
    }
    case 'abort':
      agent.abort()
      return true
    case 'cancel': {
      const toolCallId = picked(desk.openCalls(), deed.pick)
      if (toolCallId === undefined) return false
      agent.cancelTool(toolCallId)
      return true
    }
    default:
      return false
  }
}

function picked<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % items.length]
}

/** Whether a moment has come. */
export function isDue(at: Moment, now: { readonly seq: number; readonly step: number }): boolean {
  if (at === 'rest' || 'ms' in at) return false
  return 'seq' in at ? at.seq <= now.seq : at.step <= now.step
}

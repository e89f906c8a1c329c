import { givenUp } from '../internal/abort.ts'
import { messageOf } from '../internal/message-of.ts'
import type { Draft } from '../kernel/draft.ts'
import type { QueuedInput } from '../kernel/events.ts'
import { toParts } from '../tools/content.ts'
import type { EffectScope, Performance } from './effects.ts'
import type { Patience } from './hooks.ts'
import { callHook } from './hooks.ts'

/** Gives what the user said since it was last asked. */
export type PollSteering = () => readonly QueuedInput[] | Promise<readonly QueuedInput[]>

/** Asks for steering at a checkpoint, and queues what there is. */
export function pollSteering(
  scope: EffectScope,
  poll: PollSteering,
  patience: Omit<Patience, 'signal'>,
): Performance {
  const controller = new AbortController()
  void ask(scope, poll, { ...patience, signal: controller.signal })
  return { update: () => {}, giveUp: () => controller.abort(givenUp) }
}

async function ask(scope: EffectScope, poll: PollSteering, patience: Patience): Promise<void> {
  const warnings: Draft[] = []
  const said: QueuedInput[] = []
  try {
    const polled = await callHook(() => poll(), patience)
    said.push(...polled.map(toParts))
  } catch (error) {
    const message = `Steering could not be asked for: ${messageOf(error)}`
    warnings.push({ type: 'warning', code: 'hook_failed', message })
  }
  const { steering, followUp } = scope.state().queues
  scope.commit(...warnings, { type: 'queue_update', steering: [...steering, ...said], followUp })
}

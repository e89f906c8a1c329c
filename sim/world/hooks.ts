import type { WorldRules } from '../../packages/core/rules/rules.ts'
import type { Message } from '../../packages/core/src/kernel/message.ts'
import type { AgentHooks } from '../../packages/core/src/runtime/hooks.ts'
import type { HookPlan, HooksPlan } from '../plan.ts'
import type { Scope, Timeline } from './timeline.ts'

/** What the hooks need from the world. */
export interface HookScene {
  readonly timeline: Timeline
  readonly scope: Scope
  readonly noteFault: (fault: string) => void
  readonly hooked: WorldRules['hooked']
  readonly isAborting: () => boolean
}

/** The hooks of an application, which do what the plan says. */
export function createHooks(plan: HooksPlan, scene: HookScene): AgentHooks {
  const { prompt, before, after, context } = plan
  const blocked = { block: true, reason: 'Not today.' } as const
  return {
    ...(prompt && {
      onUserPromptSubmit: () =>
        reported(scene, { name: 'onUserPromptSubmit' }, () => {
          if (prompt === 'blocks') return noted(scene, 'prompt_blocks', blocked)
          if (prompt === 'rewrites') return { content: 'Rewritten.' }
          return perform(prompt, scene)
        }),
    }),
    ...(before && {
      beforeToolCall: ({ toolCallId, args }) =>
        reported(scene, { name: 'beforeToolCall', toolCallId }, () => {
          if (before === 'blocks') return noted(scene, 'before_blocks', blocked)
          if (before === 'terminates') return { ...blocked, terminate: true }
          if (before === 'rewrites') return { args: { ...args, rewritten: true } }
          if (before === 'asks') return { requireApproval: true }
          return perform(before, scene)
        }),
    }),
    ...(after && {
      afterToolCall: ({ toolCallId }) =>
        reported(scene, { name: 'afterToolCall', toolCallId }, () => {
          if (after === 'rewrites') return { content: 'Rewritten.' }
          if (after === 'terminates') return { terminate: true }
          return perform(after, scene)
        }),
    }),
    ...(context && {
      transformContext: async (messages) => {
        if (context === 'rewrites') return [...messages]
        if (context === 'spoils') return noted(scene, 'context_spoils', spoilt(messages))
        await perform(context, scene)
        return messages
      },
    }),
  }
}

/** What a hook does that returns nothing. */
export function perform(
  plan: HookPlan,
  scene: Pick<HookScene, 'timeline' | 'scope' | 'noteFault'>,
): undefined | Promise<undefined> {
  switch (plan) {
    case 'lets':
      return undefined
    case 'slow':
      return new Promise((resolve) =>
        scene.timeline.after(30, () => resolve(undefined), scene.scope),
      )
    case 'throws':
      scene.noteFault('hook_throws')
      throw new Error('The hook failed.')
    case 'rejects':
      scene.noteFault('hook_rejects')
      return Promise.reject(new Error('The hook failed.'))
    case 'hangs':
      scene.noteFault('hook_hangs')
      return new Promise(() => {})
  }
}

function noted<Value>(scene: HookScene, fault: string, value: Value): Value {
  scene.noteFault(`hook_${fault}`)
  return value
}

/** A conversation that no provider accepts: it must never be sent. */
function spoilt(messages: readonly Message[]): readonly Message[] {
  return messages.filter(({ role }) => role !== 'toolResult')
}

type Hooked = Parameters<WorldRules['hooked']>[0]

async function reported<Value>(
  scene: HookScene,
  hook: Omit<Hooked, 'phase'>,
  answer: () => Value,
): Promise<Awaited<Value>> {
  const report = (phase: Hooked['phase']): void => {
    if (!scene.scope.gone) scene.hooked({ ...hook, phase, isInTime })
  }
  // The run may be aborted in the microtask before the report.
  const isInTime = !scene.isAborting()
  // Reported in a microtask, because the agent calls the hook before it writes the facts of the same step.
  queueMicrotask(() => report('asked'))
  await Promise.resolve()
  try {
    const said = await answer()
    report(isBlock(said) ? 'blocked' : 'answered')
    return said
  } catch (error) {
    report('failed')
    throw error
  }
}

function isBlock(said: unknown): boolean {
  return typeof said === 'object' && said !== null && 'block' in said
}

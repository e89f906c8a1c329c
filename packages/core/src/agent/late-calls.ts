import { loadPart } from '../internal/load-part.ts'
import { messageOf } from '../internal/message-of.ts'
import type { Draft } from '../kernel/draft.ts'
import { openCall } from '../kernel/state.ts'
import type { ToolCall } from '../kernel/tool-call.ts'
import { endsOfCall } from '../kernel/tool-retry.ts'
import { hookFailure } from '../runtime/hooks.ts'
import type { EffectHandle } from '../runtime/running-effects.ts'
import type { CallSession } from './call-effects.ts'
import { type LatePart, latePart } from './late-part.ts'
import type { CallEffects } from './ports.ts'

/** The code that checks, runs and ends calls, takes their answers from outside, and runs them once more. */
export const callPart: LatePart<typeof import('./call-part.ts')> = latePart(
  () => import('./call-part.ts'),
)

/** The effects of calls, whose code is loaded when the model names a tool. If it does not come, no code of a tool runs. */
export function createLateCalls(session: CallSession): CallEffects {
  let made: CallEffects | null = null
  const madeOf = ({ createCallEffects }: typeof import('./call-part.ts')): CallEffects =>
    (made ??= createCallEffects(session))
  const now = () => {
    const part = callPart.now()
    return part && madeOf(part)
  }
  return {
    start: (effect, scope, ports) => {
      const loaded = now()
      if (loaded) return loaded.start(effect, scope, ports)
      let handle: EffectHandle | null = null
      let isCancelled = false
      loadPart(callPart.load, session.environment.clock).then(
        (part) => {
          if (!isCancelled) handle = madeOf(part).start(effect, scope, ports)
        },
        (error: unknown) => {
          const call = openCall(scope.state(), effect.toolCallId)
          const { maxToolResultChars } = ports.settings().kernel
          if (call) scope.commit(...endsWithoutCode(call, maxToolResultChars, messageOf(error)))
        },
      )
      return {
        // The kernel asks a call to stop only once it was handed to its code. Until then the call just ends.
        update: (changed) => handle?.update?.(changed),
        cancel: () => {
          isCancelled = true
          handle?.cancel()
        },
      }
    },
    announce: (named, scope, ports) => {
      const loaded = now()
      if (loaded) return loaded.announce(named, scope, ports)
      callPart.load().then(
        // `commit` says whether the answer still streams. Afterwards there is nothing to announce.
        (part) => scope.commit() && madeOf(part).announce(named, scope, ports),
        // A failure to load the code is reported by the call, when it is to run.
        () => {},
      )
    },
    rest: () => made?.rest(),
    dispose: () => made?.dispose(),
  }
}

/** An answer from outside stays hidden from the model: hooks have to see it first. */
function endsWithoutCode(call: ToolCall, maxChars: number, message: string): readonly Draft[] {
  if (!call.staged) return endsOfCall(call, { kind: 'not_started', message }, maxChars)
  return [
    hookFailure('afterToolCall', message),
    ...endsOfCall(call, { kind: 'withheld' }, maxChars),
  ]
}

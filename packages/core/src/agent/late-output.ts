import { loadPart } from '../internal/load-part.ts'
import { messageOf } from '../internal/message-of.ts'
import type { OutputRequest } from '../kernel/output-request.ts'
import type { Model } from '../model/port.ts'
import type { HookPorts } from '../runtime/hooks.ts'
import {
  type EffectHandle,
  type EffectScope,
  runUntilCancelled,
} from '../runtime/running-effects.ts'
import { type LatePart, latePart } from './late-part.ts'

/** The code that asks for an answer that is data, and checks it. */
export const outputPart: LatePart<typeof import('./output.ts')> = latePart(
  () => import('./output.ts'),
)

/** Checks an answer against the schema of the output that its run was asked for. */
export function checkOutput(
  scope: EffectScope,
  messageId: string,
  { patience }: Pick<HookPorts, 'patience'>,
): EffectHandle {
  return runUntilCancelled(async (signal) => {
    const verdict = await loadPart(outputPart.load, patience.clock)
      .then(({ verdictIn }) => verdictIn(scope.state(), messageId, { ...patience, signal }))
      .catch((thrown: unknown) => ({ problem: messageOf(thrown), failed: true }) as const)
    scope.commit({ type: 'output_checked', messageId, ...verdict })
  })
}

/** The model with the output schema in each request, for a run that is to end with an output. */
export function withOutput({ schema }: OutputRequest, model: Model): Model {
  return {
    identity: model.identity,
    stream: async function* (request, options) {
      const { streamOutput } = await outputPart.load()
      yield* streamOutput(model, { schema, request }, options)
    },
  }
}

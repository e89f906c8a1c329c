import type { Draft } from '../kernel/draft.ts'
import type { QueuedInput } from '../kernel/events.ts'
import type { KernelConfig } from '../kernel/kernel-config.ts'
import type { Part } from '../kernel/message.ts'
import { saysSomething } from '../kernel/message.ts'
import { toParts } from '../tools/content.ts'

/** A copy of an input, as parts. Throws a `TypeError` for one that is empty, or no input. */
export function partsOf(input: string | readonly Part[]): QueuedInput {
  const parts = toParts(input)
  if (saysSomething(parts)) return parts
  throw new TypeError('The prompt is empty. Pass some text, or at least one part.')
}

/** The start of a run that answers a prompt. */
export function promptStart(input: QueuedInput, config: KernelConfig): Draft {
  const { model, toolExecution, maxTurns } = config
  return { type: 'agent_start', trigger: 'prompt', input, model, toolExecution, maxTurns }
}

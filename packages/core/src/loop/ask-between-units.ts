import type { Engine } from '../agent/engine.ts'
import { partsOf, type UserInput } from '../agent/prompt.ts'
import type { Clock } from '../internal/clock.ts'
import { isList } from '../internal/json.ts'
import { reportLater } from '../internal/report-later.ts'
import { type Decision, decide } from '../kernel/decide.ts'
import type { QueuedInput } from '../kernel/events.ts'
import type { KernelConfig } from '../kernel/kernel-config.ts'
import type { State } from '../kernel/state.ts'
import { hasEnded } from '../kernel/tool-call.ts'
import { openUnit } from '../kernel/units.ts'
import { callHook } from '../runtime/hooks.ts'

type GetSteeringMessages = () => readonly UserInput[] | Promise<readonly UserInput[]>

interface Asking {
  readonly kernel: KernelConfig
  readonly timeoutMs: number
  readonly clock: Clock
  /** Aborts the wait for an answer. */
  readonly signal: AbortSignal | undefined
}

/**
 * Steering for a loop of one's own. The user's messages are asked for between the units of a batch, and once more at
 * its end.
 */
export interface Steering {
  /** The kernel's decision; between two units none, until the question is answered. */
  readonly decide: (state: State) => Decision
  /** Asks at every checkpoint, and queues the user's messages as `steer` does. */
  readonly askDuring: (engine: Engine) => void
  /** Asks once more, then resolves with all messages of the user; `null` if there are none. */
  readonly finish: () => Promise<readonly QueuedInput[] | null>
}

export function askBetweenUnits(
  getSteeringMessages: GetSteeringMessages,
  { kernel, timeoutMs, clock, signal = new AbortController().signal }: Asking,
): Steering {
  const said: QueuedInput[] = []
  let askedAfter = 0
  let isAsking = false

  const isDue = (state: State): boolean => endedBetweenUnits(state, kernel) > askedAfter

  // A message that comes too late for its checkpoint stays in `said`, because the user sends it only once.
  async function ask(): Promise<readonly QueuedInput[]> {
    const listen = async () => {
      const more = await given(getSteeringMessages)
      said.push(...more)
      return more
    }
    try {
      return await callHook(listen, { timeoutMs, clock, signal })
    } catch (error) {
      if (!signal.aborted) reportLater(error)
      return []
    }
  }

  async function askAtCheckpoint({ runtime }: Engine): Promise<void> {
    if (isAsking || !isDue(runtime.state())) return
    isAsking = true
    const more = await ask()
    isAsking = false
    askedAfter = endedBetweenUnits(runtime.state(), kernel)
    if (more.length === 0) runtime.refresh()
    else runtime.write({ type: 'queue_update', steering: more, followUp: [] })
  }

  return {
    decide: (state) => (isDue(state) ? { facts: [], effects: [] } : decide(state, kernel)),
    askDuring: (engine) => engine.notifier.subscribe(() => void askAtCheckpoint(engine)),
    finish: async () => {
      await ask()
      return said.length > 0 ? said : null
    },
  }
}

/** How many calls have ended, while the calls of a run stand between two units; else 0. */
function endedBetweenUnits({ run, batch }: State, kernel: KernelConfig): number {
  if (!run || run.abort || !batch) return 0
  const next = openUnit(batch, kernel)
  const isBetween = next.length > 0 && next.every(({ stage }) => stage.kind === 'streaming')
  return isBetween ? batch.calls.filter(hasEnded).length : 0
}

async function given(getSteeringMessages: GetSteeringMessages): Promise<readonly QueuedInput[]> {
  try {
    const said: unknown = await getSteeringMessages()
    const inputs = isList(said) ? said.flatMap(readInput) : []
    // The user sends a message only once, so the valid ones are kept and the others are reported.
    if (!isList(said) || inputs.length < said.length) reportLater(noInputs())
    return inputs
  } catch (error) {
    reportLater(error)
    return []
  }
}

function readInput(said: unknown): readonly QueuedInput[] {
  try {
    return [partsOf(said)]
  } catch {
    return []
  }
}

function noInputs(): TypeError {
  return new TypeError(
    "getSteeringMessages must give a list of messages, each a text, a list of parts or { role: 'user', content }, and none empty.",
  )
}

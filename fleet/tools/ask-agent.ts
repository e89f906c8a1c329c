import {
  createAgent,
  type Tool,
  type ToolCallView,
  type ToolHost,
} from '../../packages/core/src/index.ts'
import type { Json } from '../../packages/core/src/internal/json.ts'
import { call, say, scriptedModel } from '../../packages/core/src/testing.ts'

interface Asked<T extends Tool> {
  readonly host: ToolHost<T>
  readonly maxConcurrency?: number
  readonly abortGraceMs?: number
}

/** An agent whose model asks for some calls of one tool at once, then ends. */
export function askForCalls<T extends Tool>(
  { host, maxConcurrency = 4, abortGraceMs = 60_000 }: Asked<T>,
  inputs: readonly Json[],
) {
  const name = host.tools[0]?.name ?? ''
  const model = scriptedModel(
    inputs.map((input) => call(name, input)),
    [say('Done.')],
  )
  const agent = createAgent({
    model,
    tools: [host],
    maxConcurrency,
    maxCallsPerTurn: 1000,
    abortGraceMs,
  })
  const ids = new Set<string>()
  agent.subscribe((event) => {
    if (event.type === 'tool_execution_start') ids.add(event.toolCallId)
  })
  const done = agent.prompt('Go.')
  const cards = (): readonly ToolCallView[] =>
    [...ids].flatMap((id) => agent.getState().toolCalls.get(id) ?? [])
  return {
    agent,
    done,
    /** The cards when the run has ended. */
    ended: () => done.then(cards),
    /** The first card for which this holds. */
    shown: (holds: (card: ToolCallView) => boolean) =>
      new Promise<ToolCallView>((resolve) => {
        const look = () => {
          const card = cards().find(holds)
          if (!card) return
          stop()
          resolve(card)
        }
        const stop = agent.store.subscribe(look)
        look()
      }),
  }
}

/** The text of the partial result on a card. */
export function partialOf({ partial }: ToolCallView): string {
  return (partial?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}

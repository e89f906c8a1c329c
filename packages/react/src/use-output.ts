import {
  type Agent,
  type AgentState,
  type ChatMessage,
  type OutputSchema,
  type PartialOutput,
  readOutput,
  textOf,
} from '@offthread/core'
import { useMemo } from 'react'
import { useAgentSelector } from './use-agent-selector.ts'

/**
 * The output that the active run was asked for, while it is written, and that of the last run, if its answer fits. Nothing
 * of it is checked before `output` of the agent's state is `'there'`: any field may be missing, and texts may still grow.
 * `undefined` before there is anything, between an answer and its repair, and for a run that ended without.
 *
 * `schema` is that of the prompt, and gives the value its type. The component renders when the answer has grown, at most
 * once per frame, and for a long one when it has grown by a 64th: each time all of it is read.
 *
 * @example
 * ```tsx
 * const recipe = useOutput(agent, recipeSchema)
 * return <h2>{recipe?.title}</h2>
 * ```
 */
export function useOutput<Schema extends OutputSchema>(
  agent: Agent,
  schema: Schema,
): PartialOutput<Schema> | undefined
export function useOutput(agent: Agent): unknown {
  const answer = useAgentSelector(agent, answerIn, isHardlyLonger)
  return useMemo(() => readOutput(answer), [answer])
}

function answerIn({ output, messages }: AgentState): ChatMessage | undefined {
  return output === 'awaited' || output === 'there' ? messages.at(-1) : undefined
}

function isHardlyLonger(before: ChatMessage | undefined, now: ChatMessage | undefined): boolean {
  if (before === now) return true
  if (before === undefined || now?.role !== 'assistant' || now.stopReason !== undefined)
    return false
  if (before.id !== now.id) return false
  const [read, text] = [textOf(before.content), textOf(now.content)]
  return text.length <= read.length * (1 + 1 / 64) && text.startsWith(read)
}

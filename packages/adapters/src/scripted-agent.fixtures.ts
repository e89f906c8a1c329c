import {
  type Agent,
  type AgentOptions,
  createAgent,
  defineTool,
  implement,
  inClient,
  inPage,
  ToolError,
} from '@offthread/core'
import { type ScriptedAnswer, scriptedModel } from '@offthread/core/testing'
import { z } from 'zod'

const tool = (name: string, options = {}) =>
  defineTool({
    name,
    description: 'Does something.',
    place: 'page',
    inputSchema: z.object({}),
    ...options,
  })

/** Has a tool for each way in which a call may go. */
export function agentOf(
  answers: readonly ScriptedAnswer[],
  options: Partial<AgentOptions> = {},
): Agent {
  const page = inPage([
    implement(tool('clock'), () => 'noon'),
    implement(tool('broken'), () => {
      throw ToolError.failed('It broke.')
    }),
    implement(tool('remove', { needsApproval: true }), () => 'Removed.'),
    implement(tool('endless'), (_, { signal }) => untilAborted(signal)),
  ])
  const client = inClient([
    defineTool({
      name: 'pick',
      description: 'Asks for a day.',
      place: 'client',
      inputSchema: z.object({}),
    }),
  ])
  return createAgent({
    model: scriptedModel(...answers),
    tools: [page, client],
    retry: { baseMs: 1 },
    ...options,
  })
}

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')))
}

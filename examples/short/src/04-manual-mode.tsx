// The page runs no call by itself: each run ends where an answer has calls, and you give their results.
import { createAgent, defineTool, inClient } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { useAgent } from '@offthread/react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Conversation } from './conversation.tsx'

const pickColor = defineTool({
  name: 'pick_color',
  description: 'Asks the user for a color.',
  place: 'client',
  inputSchema: z.object({}),
  outputSchema: z.object({ color: z.string() }),
})
const agent = createAgent({
  model: scriptedModel([call('pick_color')], [say('A good choice.')]),
  tools: inClient([pickColor]),
  toolMode: 'manual',
})

export function Example(): ReactNode {
  const { toolCalls, addToolOutput, continue: goOn } = useAgent(agent)
  const waiting = toolCalls.active.find((call) => !call.isAnswered)
  async function give(color: string): Promise<void> {
    if (waiting) await addToolOutput({ toolCallId: waiting.toolCallId, output: { color } })
    await goOn()
  }
  return (
    <>
      <Conversation agent={agent} question="Ask me for a color" />
      {waiting && (
        <button type="button" onClick={() => void give('teal')}>
          Teal
        </button>
      )}
    </>
  )
}

// A card of one's own for one tool. Its types come from the tool: `call.output.rolls` is a list of numbers.
import { createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { defineToolUI } from '@offthread/react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Conversation } from './conversation.tsx'

const rollDice = defineTool({
  name: 'roll_dice',
  description: 'Rolls dice.',
  place: 'page',
  inputSchema: z.object({ count: z.number().int().min(1).max(20) }),
  outputSchema: z.object({ rolls: z.array(z.number()) }),
})
const roll = () => crypto.getRandomValues(new Uint8Array(1)).reduce((_, byte) => 1 + (byte % 6), 0)
const agent = createAgent({
  model: scriptedModel([call('roll_dice', { count: 5 })], [say('Lucky you.')]),
  tools: inPage([
    implement(rollDice, ({ count }) => ({ rolls: Array.from({ length: count }, roll) })),
  ]),
})
const diceUI = defineToolUI(rollDice, ({ call }) => (
  <p style={{ fontSize: '3rem' }}>
    {call.output?.rolls.map((eyes) => String.fromCodePoint(0x267f + eyes)).join(' ') ?? call.status}
  </p>
))
const ui = [diceUI]

export function Example(): ReactNode {
  return <Conversation agent={agent} question="Roll five dice" ui={ui} />
}

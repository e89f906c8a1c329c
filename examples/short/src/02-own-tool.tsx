// A tool in workers of its own: two calls at once, each with its status and its Cancel.
import { createAgent, inWorkers } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import type { ReactNode } from 'react'
import { longestWord } from './02-own-tool.tool.ts'
import { Conversation } from './conversation.tsx'

const agent = createAgent({
  model: scriptedModel(
    [call('longest_word', { text: 'a bb ccc' }), call('longest_word', { text: 'one three' })],
    [say('They are “ccc” and “three”.')],
  ),
  tools: inWorkers(
    [longestWord],
    () => new Worker(new URL('./02-own-tool.worker.ts', import.meta.url), { type: 'module' }),
  ),
})

export function Example(): ReactNode {
  return <Conversation agent={agent} question="Which words are the longest?" />
}

// A call that a person has to allow. It waits in the log, so it would wait over a reload, too.
import { createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { useApprovals } from '@offthread/react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Conversation } from './conversation.tsx'

const deleteTable = defineTool({
  name: 'delete_table',
  description: 'Deletes a table.',
  place: 'page',
  inputSchema: z.object({ name: z.string() }),
  needsApproval: true,
})
const agent = createAgent({
  model: scriptedModel([call('delete_table', { name: 'drafts' })], [say('As you wish.')]),
  tools: inPage([implement(deleteTable, ({ name }) => `“${name}” is gone.`)]),
})

export function Example(): ReactNode {
  const [waiting] = useApprovals(agent)
  const answer = (approved: boolean) => waiting?.addToolApprovalResponse({ approved })
  return (
    <>
      <Conversation agent={agent} question="Delete my drafts" />
      <button type="button" onClick={() => answer(true)} disabled={!waiting}>
        Allow
      </button>
      <button type="button" onClick={() => answer(false)} disabled={!waiting}>
        Deny
      </button>
    </>
  )
}

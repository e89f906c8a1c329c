// Any moment of the log, shown by the same components. Nothing runs again.
import { createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { useReplay } from '@offthread/react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Conversation } from './conversation.tsx'

const clock = defineTool({
  name: 'clock',
  description: 'Says what time it is.',
  place: 'page',
  inputSchema: z.object({}),
})
const agent = createAgent({
  model: scriptedModel([call('clock'), call('clock')], [say('Later than you think.')]),
  tools: inPage([implement(clock, () => new Date().toLocaleTimeString())]),
})

export function Example(): ReactNode {
  const { agent: shown, position, length, seek, exit } = useReplay(agent)
  return (
    <>
      <Conversation agent={shown} question="What time is it?" />
      <input
        type="range"
        aria-label="Moment"
        max={length}
        value={position ?? length}
        onChange={(event) => seek(event.target.valueAsNumber)}
      />
      <button type="button" onClick={exit} disabled={position === null}>
        Live
      </button>
    </>
  )
}

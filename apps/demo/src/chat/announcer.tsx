import type { AgentEvent } from '@offthread/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { DemoAgent } from '../agent.ts'
import { useSession } from '../session.ts'
import { announcementsFor } from './announcements.ts'

const silence = { polite: '', urgent: '' }

/** Announces starts and ends. The conversation itself is not a live region: read aloud while it grows, it is noise. */
export function Announcer(): ReactNode {
  const { agent } = useSession()
  const [spoken, setSpoken] = useState(silence)
  useEffect(() => listen(agent, setSpoken), [agent])
  return (
    <div className="visually-hidden">
      <p role="status" data-announcer="polite">
        {spoken.polite}
      </p>
      <p role="alert" data-announcer="urgent">
        {spoken.urgent}
      </p>
    </div>
  )
}

const gatherMs = 800
const announced = new Set([
  'tool_execution_start',
  'tool_execution_end',
  'auto_retry_start',
  'agent_end',
])

/** Debounces events, so that ten tools are one sentence. */
function listen(agent: DemoAgent, say: (spoken: typeof silence) => void): () => void {
  let gathered: AgentEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    const announcements = announcementsFor(gathered, agent.getState().toolCalls.get)
    gathered = []
    const spoken = (wanted: boolean): string =>
      announcements.flatMap(({ text, urgent }) => (urgent === wanted ? [text] : [])).join('. ')
    say({ polite: spoken(false), urgent: spoken(true) })
  }
  const unsubscribe = agent.subscribe((event) => {
    if (!announced.has(event.type)) return
    gathered.push(event)
    timer ??= setTimeout(flush, gatherMs)
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}

/** @jsxImportSource react */
import type { Agent, AgentEvent } from '@offthread/core'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import {
  type AnnouncedMoment,
  type Announcement,
  sentencesFor,
  type Verbosity,
} from './announcements.ts'
import { visibleText } from './visible-text.ts'

export { type AnnouncedMoment, type Announcement, sentencesFor, type Verbosity }

/** How much is announced, and in which words. */
export interface AnnouncerOptions extends Partial<Pick<AnnouncedMoment, 'detailOf' | 'hints'>> {
  /** How much is said. Default `'full'`. */
  readonly verbosity?: Verbosity
  /** Makes the sentences of a moment, for another language or other words. Default `sentencesFor`. */
  readonly sentences?: (moment: AnnouncedMoment) => readonly Announcement[]
}

/** What is to be read aloud: each is the text of one live region. */
export interface Spoken {
  /** Read when the person is idle. */
  readonly polite: string
  /** Read without a wait. */
  readonly urgent: string
  /** Another number for each utterance. It is the key of the text, so that the same words are read again. */
  readonly id: number
}

/**
 * What assistive technology is to read aloud of an agent: starts and ends, never the growing answer. What happens within
 * 1.5 s is one utterance. Put the texts into live regions that are there from the start, or use `<Announcer>`. The
 * conversation itself should be `aria-live="off"`.
 *
 * @example
 * ```tsx
 * const { polite, urgent, id } = useAnnouncer(agent, { verbosity: 'brief' })
 * return (
 *   <>
 *     <p role="status"><span key={id}>{polite}</span></p>
 *     <p role="alert"><span key={id}>{urgent}</span></p>
 *   </>
 * )
 * ```
 */
export function useAnnouncer(agent: Agent, options: AnnouncerOptions = {}): Spoken {
  const [spoken, setSpoken] = useState(silence)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => listen(agent, { current: () => latest.current, say: setSpoken }), [agent])
  return spoken
}

/** Which agent is announced, and how. */
export interface AnnouncerProps extends AnnouncerOptions {
  /** The agent. */
  readonly agent: Agent
}

/**
 * Two invisible live regions that say what the agent does. Render it once, where it stays mounted.
 *
 * @example
 * ```tsx
 * <Announcer agent={agent} detailOf={(call) => (call.toolName === 'sql_query' ? '50 rows' : undefined)} />
 * ```
 */
export function Announcer({ agent, ...options }: AnnouncerProps): ReactNode {
  const { polite, urgent, id } = useAnnouncer(agent, options)
  return (
    <div style={unseen}>
      <p role="status" data-announcer="polite">
        <span key={id}>{polite}</span>
      </p>
      <p role="alert" data-announcer="urgent">
        <span key={id}>{urgent}</span>
      </p>
    </div>
  )
}

const silence: Spoken = { polite: '', urgent: '', id: 0 }

// Invisible, but displayed: assistive technology does not read an element that is not displayed.
const unseen: CSSProperties = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
}

const gatherMs = 1500
/** The most characters of one sentence: people do not listen to more. */
const mostChars = 400

const boundaries: ReadonlySet<string> = new Set<AgentEvent['type']>([
  'agent_start',
  'agent_end',
  'tool_execution_start',
  'tool_execution_end',
  'tool_approval_requested',
  'auto_retry_start',
])

interface Speaker {
  readonly current: () => AnnouncerOptions
  readonly say: (next: (last: Spoken) => Spoken) => void
}

/** Gathers events, so that ten tools are one sentence. */
function listen(agent: Agent, { current, say }: Speaker): () => void {
  let gathered: AgentEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    const moment = { events: gathered, state: agent.getState() }
    gathered = []
    const {
      verbosity = 'full',
      sentences = sentencesFor,
      detailOf = () => undefined,
      hints = {},
    } = current()
    if (verbosity === 'off') return
    const said = sentences({ ...moment, verbosity, detailOf, hints })
    if (said.length === 0) return
    const textOfAll = (wanted: boolean): string => {
      const texts = said.flatMap(({ text, isUrgent }) => (isUrgent === wanted ? [text] : []))
      return visibleText(texts.map((text) => text.slice(0, mostChars)).join('. '))
    }
    say(({ id }) => ({ polite: textOfAll(false), urgent: textOfAll(true), id: id + 1 }))
  }
  const unsubscribe = agent.subscribe((event) => {
    // Runs of sub-agents belong to their calls, and are not announced.
    const isInner = event.agentId !== undefined && event.type.startsWith('agent_')
    if (isInner || !boundaries.has(event.type)) return
    gathered.push(event)
    timer ??= setTimeout(flush, gatherMs)
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}

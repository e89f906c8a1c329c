import { type AgentEvent, isDurable } from '../../kernel/events.ts'
import type { UserMessage } from '../../kernel/message.ts'
import type { State } from '../../kernel/state.ts'
import { joinList } from '../../storage/list-channel.ts'
import { sessionStatusOf } from '../../storage/session-status.ts'
import { topicOf } from '../../storage/title.ts'
import { shownStatus } from '../../store/shown-status.ts'
import type { RoleOptions } from './role.ts'

/** What lists show of a session. */
export interface ListEntry {
  /** Stops writing. */
  readonly stop: () => void
  /** Resolves when nothing is being written. */
  readonly settled: () => Promise<void>
  /** Called when the session has been given back. */
  readonly close: () => void
}

/** The fewest milliseconds between two notices about what changes within a run. */
const pauseMs = 500

/**
 * Keeps true what lists show of a session, for as long as this agent owns it. `stored` resolves when what was written so
 * far is stored.
 */
export function keepListEntry(
  { storage, sessionId, clock, ports }: RoleOptions,
  stored: () => Promise<void>,
): ListEntry {
  const { post, close } = joinList(storage)
  let status = ''
  let topic: string | null = null
  let storedTopic: string | null = null
  let writing = Promise.resolve()
  let postedAt = Number.NEGATIVE_INFINITY

  function notify(): void {
    postedAt = clock.monotonic()
    stored().then(post, () => {})
  }

  function update(): void {
    const state = ports.state()
    const now = sessionStatusOf(shownStatus(state))
    const start = topic ?? beginningOf(state)
    if (now === status && start === topic) return
    status = now
    topic = start
    // The topic is sent once: if it was redacted meanwhile, it must not come back with a status.
    const news = start && start !== storedTopic ? { status, topic: start } : { status }
    // A failure is ignored: a list that is out of date is not worth an error.
    writing = storage.describe(sessionId, news).then(
      () => {
        storedTopic = start
        notify()
      },
      () => {},
    )
  }

  function note(event: AgentEvent): void {
    if (!isDurable(event)) return
    update()
    // There is no timer, which would outlive the run: the end of a run is always worth a notice.
    if (!ports.state().run || clock.monotonic() - postedAt >= pauseMs) notify()
  }

  update()
  return {
    stop: ports.subscribe(note),
    settled: () => writing,
    close: () => {
      post()
      close()
    },
  }
}

/**
 * How the first message of the user begins; `null` before it. Once there it stays, so that a long conversation is
 * walked only once.
 */
function beginningOf(state: State): string | null {
  const question = firstQuestionOf(state)
  return question && topicOf(question)
}

export function firstQuestionOf({ head }: State): UserMessage | null {
  let question: UserMessage | null = null
  for (let node = head; node; node = node.parent) {
    if (node.message.role === 'user') question = node.message
  }
  return question
}

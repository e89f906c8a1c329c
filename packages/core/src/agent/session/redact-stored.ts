import type { UserMessage } from '../../kernel/message.ts'
import { redactedText } from '../../kernel/redacted-content.ts'
import type { RedactionTarget } from '../../kernel/redaction-target.ts'
import { createRedactor, type Redactor } from '../../kernel/redactor.ts'
import { emptyState, type State } from '../../kernel/state.ts'
import { readLog } from '../../runtime/read-log.ts'
import type { SessionStorage } from '../../storage/port.ts'
import { topicOf } from '../../storage/title.ts'
import { firstQuestionOf } from './list-entry.ts'
import { type Page, readPages } from './read-pages.ts'
import { type RedactionOrigin, redactionEvent } from './redaction.ts'

/** A storage from which content can be removed. */
export type RedactingStorage = SessionStorage & Required<Pick<SessionStorage, 'redact'>>

/** What is removed from a stored session. */
export interface StoredRedaction {
  readonly target: RedactionTarget
  /** The state after all stored events. */
  readonly state: State
  /** The claim under which it is done. */
  readonly epoch: number
  readonly origin: RedactionOrigin
}

export function canRedact(storage: SessionStorage): storage is RedactingStorage {
  return storage.redact !== undefined
}

/**
 * Removes a message from everything that a storage holds of a session: all of it or nothing. Resolves with whether there was
 * anything to remove.
 */
export async function redactStored(
  storage: RedactingStorage,
  { target, state, epoch, origin }: StoredRedaction,
): Promise<boolean> {
  const { sessionId, nextSeq: head } = state
  const redactor = createRedactor(target)
  let before = emptyState(sessionId)
  for await (const page of readPages(storage, sessionId, 0))
    before = addPage(redactor, before, page)
  const replaced = redactor.replaced()
  if (replaced.length === 0) return false
  const artifactIds = redactor.artifactIds()
  const { messageId } = target
  await storage.redact(
    sessionId,
    { head, epoch },
    {
      replaced,
      added: [redactionEvent(state, { messageId, artifactIds }, origin)],
      removedKeys: artifactIds,
      topic: topicAfter(firstQuestionOf(state), messageId),
    },
  )
  return true
}

function addPage(redactor: Redactor, start: State, page: Page): State {
  let before = start
  for (const value of page) {
    const { events, state, problem } = readLog(before, [value])
    if (problem) throw problem
    for (const event of events) redactor.add(before, event)
    before = state
  }
  return before
}

function topicAfter(question: UserMessage | null, messageId: string): string {
  if (!question) return ''
  return question.id === messageId ? redactedText : topicOf(question)
}

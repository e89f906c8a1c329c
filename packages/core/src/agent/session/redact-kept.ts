import type { Clock } from '../../internal/clock.ts'
import { fold } from '../../kernel/fold.ts'
import { createRedactor } from '../../kernel/redactor.ts'
import { emptyState } from '../../kernel/state.ts'
import type { SessionPorts } from './ports.ts'
import { redactionEvent, targetIn } from './redaction.ts'

/** What an agent without a storage knows of its session. */
export interface KeptSession {
  readonly ports: SessionPorts
  readonly clock: Clock
}

/** Removes a message from a session that is in no storage: only this page has it. */
export function redactKept({ ports, clock }: KeptSession, messageId: string): void {
  const { log, load, dropArtifact } = ports
  const target = targetIn(ports.state(), messageId)
  if (target.isRedacted) return
  const redactor = createRedactor(target)
  let before = emptyState(ports.state().sessionId)
  for (const event of log) {
    redactor.add(before, event)
    before = fold(before, event)
  }
  const replaced = redactor.replaced()
  if (replaced.length === 0) return
  for (const event of replaced) log[event.seq] = event
  const artifactIds = redactor.artifactIds()
  const redacted = redactionEvent(before, { messageId, artifactIds }, { ts: clock.now() })
  load([...log, redacted].reduce(fold, emptyState(before.sessionId)), [redacted])
  artifactIds.forEach(dropArtifact)
}
